import type { NormalTransaction, TokenBalance } from './normalise-transaction';
import { pickSeller, type Change } from './pick-seller';
import { TOKEN_2022 } from './programs';
import type { Flows, TokenFlow } from './trace-flows';
import { isUnknown, type Owners } from './trace-owners';
import { refuse, type TransferReading } from './transfer';
import { refundableRent, unexplainedLamports } from './unexplained-lamports';

/** Reads a payment in the one token (other than wrapped SOL) whose balances changed between owners. */
export function readTokenPayment(
  tx: NormalTransaction,
  blockTime: Date,
  token: { mint: string; changes: Change[] },
  flows: Flows,
  owners: Owners,
): TransferReading {
  const { mint, changes } = token;
  const balances = [...tx.tokensBefore, ...tx.tokensAfter].filter((entry) => entry.mint === mint);
  if (isNft(balances)) return refuse('not_a_payment', `${mint} is an NFT`);
  if (flows.minted.has(mint)) return refuse('not_a_payment', `${mint} was minted or burned`);
  if (changes.some(({ owner }) => isUnknown(owner)))
    return refuse('owner_unknown', `the owner of an account of ${mint} is not in the transaction`);

  const own = flows.token.filter((flow) => flow.mint === mint || flow.mint === null);
  const program =
    balances.find((entry) => entry.tokenProgram)?.tokenProgram ?? own[0]?.program ?? null;
  const missing = -changes.reduce((sum, { amount }) => sum + amount, 0n);
  if (missing < 0n || (missing > 0n && program !== TOKEN_2022))
    return refuse('not_a_payment', `what was given and received of ${mint} does not match`);
  const gross = (receiver: Change): bigint =>
    missing === 0n ? receiver.amount : sentTo(own, receiver);
  const picked = pickSeller(changes, gross);
  if ('ok' in picked) return picked;
  const { payer, given, seller, others } = picked;

  const isShown =
    own.some(({ from }) => from === payer) && own.some(({ to }) => to === seller.owner);
  if (!isShown)
    return tx.hasInner
      ? refuse('not_a_payment', `${mint} changed owners without a transfer`)
      : refuse('unreadable_transaction', 'the node kept no record of inner instructions');
  const swap = solLeg(tx, flows, owners, payer, seller.owner);
  if (swap) return refuse('not_a_payment', swap);

  const amountSent = others.length === 0 ? given : gross(seller);
  return {
    ok: true,
    transfer: {
      signature: tx.signature,
      slot: tx.slot,
      blockTime,
      finality: 'confirmed',
      payer,
      seller: seller.owner,
      mint,
      tokenProgram: program,
      decimals: balances[0]?.decimals ?? 0,
      amount: seller.amount,
      amountSent,
      feeWithheld: amountSent - seller.amount,
      otherLegs: others,
      feePayer: tx.feePayer,
      memos: flows.memos,
      references: [
        ...new Set(own.filter(({ to }) => to === seller.owner).flatMap(({ extra }) => extra)),
      ],
    },
  };
}

/** Decimals 0 and never more than one unit in any account: nothing shows that there is a second one. */
function isNft(balances: readonly TokenBalance[]): boolean {
  return balances.every(({ decimals, amount }) => decimals === 0 && amount <= 1n);
}

/** What instructions sent to a receiver, which a transfer fee makes more than what arrived. */
function sentTo(flows: readonly TokenFlow[], receiver: Change): bigint {
  const sent = flows
    .filter(({ to }) => to === receiver.owner)
    .reduce((sum, { amount }) => sum + amount, 0n);
  return sent > receiver.amount ? sent : receiver.amount;
}

/**
 * The SOL side of a token transfer, when there is one: the payer gets SOL back, the seller gives SOL, or
 * SOL is paid beside the token. Null when there is none.
 */
function solLeg(
  tx: NormalTransaction,
  flows: Flows,
  owners: Owners,
  payer: string,
  seller: string,
): string | null {
  const paid = flows.sol.filter(({ kind }) => kind !== 'rent' && kind !== 'tip');
  if (paid.some(({ to }) => to === payer)) return 'the payer got SOL in return: a swap';
  if (paid.some(({ from }) => from === seller)) return 'the seller gave SOL in return: a swap';
  if (paid.some(({ to }) => to === seller)) return 'the seller received SOL beside the token';
  if (flows.sol.some(({ kind }) => kind === 'wrapped')) return 'wrapped SOL moves beside the token';
  if (unexplainedLamports(tx, owners, flows.sol, payer) > refundableRent(tx, owners))
    return 'the payer gained SOL: a swap';
  if (unexplainedLamports(tx, owners, flows.sol, seller) < 0n) return 'the seller lost SOL: a swap';
  return null;
}
