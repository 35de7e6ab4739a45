import { fetchTransaction } from '@/server/chain/fetch-transaction';
import { normaliseTransaction, type NormalTransaction } from '@/server/chain/normalise-transaction';
import { readActions } from '@/server/chain/read-actions';
import type { Rpc } from '@/server/chain/rpc';
import { RpcRefused, RpcUnavailable } from '@/server/chain/rpc-errors';
import { isUnknown, traceOwners } from '@/server/chain/trace-owners';
import type { ErrorCode } from '@/server/errors';

/** A transaction that credited USDC to the service, as the chain shows it. */
export type FeePayment = {
  signature: string;
  slot: bigint;
  blockTime: Date;
  /** Owner of the debited USDC account; often not who paid the network fee. */
  payer: string;
  /** Wallet of ours that it went to. */
  payTo: string;
  /** What arrived, in micro-USDC. */
  amountMicros: bigint;
  memos: string[];
};

export type FeeReading =
  | { state: 'paid'; payment: FeePayment }
  | { state: 'absent' }
  | { state: 'refused'; code: ErrorCode; detail: string };

/** Where the service is paid: wallet, its USDC account and the mint. */
export type PayTo = { wallet: string; account: string; mint: string };

/**
 * Reads what a transaction paid to the service, in one RPC call, by the change of balances: transfers in
 * inner instructions, several of them and sponsored transactions count alike. `absent` when no node knows
 * it as confirmed; throws RpcUnavailable when none answers.
 */
export async function readFeePayment(o: {
  rpc: Rpc;
  signature: string;
  payTo: PayTo;
}): Promise<FeeReading> {
  const tx = await fetchNormal(o.rpc, o.signature);
  if (tx === null) return { state: 'absent' };
  if (typeof tx === 'string') return refused('payment_failed', `it cannot be read: ${tx}`);
  if (tx.err !== null)
    return refused('payment_failed', `it failed on chain: ${JSON.stringify(tx.err).slice(0, 200)}`);
  if (tx.blockTime === null) throw new RpcUnavailable('A node knows no time of the block');
  return creditOf(tx, tx.blockTime, o.payTo);
}

async function fetchNormal(
  rpc: Rpc,
  signature: string,
): Promise<NormalTransaction | string | null> {
  try {
    const raw = await fetchTransaction(rpc, signature);
    return raw && normaliseTransaction(raw);
  } catch (error) {
    if (error instanceof RpcRefused) return error.message;
    throw error;
  }
}

function creditOf(tx: NormalTransaction, blockTime: Date, payTo: PayTo): FeeReading {
  const actions = readActions(tx.instructions);
  const owners = traceOwners(tx, actions);
  const ofAccount = changeOf(tx, (entry) => entry.account === payTo.account);
  if (ofAccount <= 0n) {
    const other = tx.tokensAfter.some(
      (entry) => entry.owner === payTo.wallet && entry.mint !== payTo.mint,
    );
    return other
      ? refused('payment_wrong_token', `it pays ${payTo.wallet} in another token`)
      : refused('payment_not_to_us', `it credits nothing to ${payTo.account}`);
  }
  const net = new Map<string, bigint>();
  const add = (owner: string, amount: bigint) => net.set(owner, (net.get(owner) ?? 0n) + amount);
  for (const entry of tx.tokensBefore)
    if (entry.mint === payTo.mint) add(entry.owner ?? owners.before(entry.account), -entry.amount);
  for (const entry of tx.tokensAfter)
    if (entry.mint === payTo.mint) add(entry.owner ?? owners.after(entry.account), entry.amount);
  const debited = [...net].filter(([, amount]) => amount < 0n).map(([owner]) => owner);
  const [payer] = debited;
  if (payer === undefined || debited.length > 1 || isUnknown(payer))
    return refused('payment_several_payers', 'it does not show one single wallet that paid');
  return {
    state: 'paid',
    payment: {
      signature: tx.signature,
      slot: tx.slot,
      blockTime,
      payer,
      payTo: payTo.wallet,
      amountMicros: ofAccount,
      memos: actions.flatMap((action) => (action.kind === 'memo' ? [action.text.trim()] : [])),
    },
  };
}

function changeOf(
  tx: NormalTransaction,
  counts: (entry: NormalTransaction['tokensBefore'][number]) => boolean,
): bigint {
  const sum = (entries: NormalTransaction['tokensBefore']) =>
    entries.filter(counts).reduce((total, { amount }) => total + amount, 0n);
  return sum(tx.tokensAfter) - sum(tx.tokensBefore);
}

function refused(code: ErrorCode, detail: string): FeeReading {
  return { state: 'refused', code, detail };
}
