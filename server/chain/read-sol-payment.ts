import type { NormalTransaction } from './normalise-transaction';
import { pickSeller, type Change } from './pick-seller';
import { ASSET_PROGRAMS, WRAPPED_SOL } from './programs';
import type { Flows } from './trace-flows';
import { isUnknown, type Owners } from './trace-owners';
import { refuse, type TransferReading } from './transfer';
import { refundableRent, unexplainedLamports } from './unexplained-lamports';

const SOL_DECIMALS = 9;

/**
 * Reads a payment in SOL: by lamports or by wrapped SOL. Network fees, rent and tips are no part of it.
 * The balances of payer and seller must be what the instructions say, to the lamport.
 */
export function readSolPayment(
  tx: NormalTransaction,
  blockTime: Date,
  flows: Flows,
  owners: Owners,
): TransferReading {
  if (tx.instructions.some(({ programId }) => ASSET_PROGRAMS.has(programId)))
    return refuse('not_a_payment', 'an NFT program takes part, and SOL may be its price');
  const payments = flows.sol.filter(({ kind }) => kind === 'native' || kind === 'wrapped');
  if (payments.length === 0)
    return refuse('not_a_payment', 'no tokens and no SOL move from one wallet to another');
  const changes = netChanges(payments);
  if (changes.some(({ owner }) => isUnknown(owner)))
    return refuse('owner_unknown', 'the owner of a wrapped SOL account is not in the transaction');
  if (changes.length === 0)
    return refuse('not_a_payment', 'all SOL that moves comes back to where it was');

  const picked = pickSeller(changes, ({ amount }) => amount);
  if ('ok' in picked) return picked;
  const { payer, seller, others } = picked;
  if (
    flows.sol.some((flow) => flow.kind === 'other' && [flow.from, flow.to].includes(seller.owner))
  )
    return refuse('not_a_payment', 'SOL also moves by opening or closing accounts');
  const refunds = refundableRent(tx, owners);
  for (const party of [payer, seller.owner]) {
    const unexplained = unexplainedLamports(tx, owners, flows.sol, party);
    if (unexplained < 0n || unexplained > refunds)
      return refuse('not_a_payment', `no instruction explains the SOL balance of ${party}`);
  }

  const incoming = payments.filter(({ to }) => to === seller.owner);
  const isWrapped = incoming.every(({ kind }) => kind === 'wrapped');
  if (!isWrapped && incoming.some(({ kind }) => kind === 'wrapped'))
    return refuse('not_a_payment', 'the seller received both SOL and wrapped SOL');
  return {
    ok: true,
    transfer: {
      signature: tx.signature,
      slot: tx.slot,
      blockTime,
      finality: 'confirmed',
      payer,
      seller: seller.owner,
      mint: isWrapped ? WRAPPED_SOL : null,
      tokenProgram: isWrapped ? (incoming[0]?.program ?? null) : null,
      decimals: SOL_DECIMALS,
      amount: seller.amount,
      amountSent: seller.amount,
      feeWithheld: 0n,
      otherLegs: others,
      feePayer: tx.feePayer,
      memos: flows.memos,
      references: [...new Set(incoming.flatMap(({ extra }) => extra))],
    },
  };
}

function netChanges(flows: readonly { from: string; to: string; lamports: bigint }[]): Change[] {
  const net = new Map<string, bigint>();
  for (const { from, to, lamports } of flows) {
    net.set(from, (net.get(from) ?? 0n) - lamports);
    net.set(to, (net.get(to) ?? 0n) + lamports);
  }
  return [...net]
    .map(([owner, amount]) => ({ owner, amount }))
    .filter(({ amount }) => amount !== 0n);
}
