import {
  normaliseTransaction,
  type NormalTransaction,
  type TokenBalance,
} from './normalise-transaction';
import type { Change } from './pick-seller';
import { WRAPPED_SOL } from './programs';
import type { RawTransaction } from './raw-transaction';
import { readActions } from './read-actions';
import { readSolPayment } from './read-sol-payment';
import { readTokenPayment } from './read-token-payment';
import { traceFlows } from './trace-flows';
import { traceOwners, type Owners } from './trace-owners';
import { refuse, type TransferReading } from './transfer';

/**
 * Reads a transaction as one payment, or says why it is none. Pure; takes every encoding of
 * `getTransaction` and never throws. Amounts come from balance changes by mint address, parties are
 * owners proved by the transaction itself, instructions explain the changes. Finality is `confirmed`, as
 * a transaction alone does not tell more.
 */
export function interpretTransaction(raw: RawTransaction): TransferReading {
  const tx = normaliseTransaction(raw);
  if (typeof tx === 'string') return refuse('unreadable_transaction', tx);
  if (tx.err !== null) return refuse('transaction_failed', `the chain says ${brief(tx.err)}`);
  if (tx.blockTime === null)
    return refuse('unreadable_transaction', 'the node knows no time of the block');

  const actions = readActions(tx.instructions);
  const owners = traceOwners(tx, actions);
  const flows = traceFlows(tx, actions, owners);
  const moved = [...netByMint(tx, owners)].filter(([mint]) => mint !== WRAPPED_SOL);
  const [first, second] = moved;
  if (!first) return readSolPayment(tx, tx.blockTime, flows, owners);
  if (second)
    return refuse('not_a_payment', `${moved.length} tokens change owners: a swap, not a payment`);
  const [mint, changes] = first;
  return readTokenPayment(tx, tx.blockTime, { mint, changes }, flows, owners);
}

/**
 * Net change of each token by owner, without zeros. A missing entry means an empty or absent account;
 * what an account holds counts for its owner before and for its owner after, who may differ.
 */
function netByMint(tx: NormalTransaction, owners: Owners): Map<string, Change[]> {
  const net = new Map<string, Map<string, bigint>>();
  const add = ({ mint }: TokenBalance, owner: string, amount: bigint): void => {
    const ofMint = net.get(mint) ?? new Map<string, bigint>();
    ofMint.set(owner, (ofMint.get(owner) ?? 0n) + amount);
    net.set(mint, ofMint);
  };
  for (const entry of tx.tokensBefore)
    add(entry, entry.owner ?? owners.before(entry.account), -entry.amount);
  for (const entry of tx.tokensAfter)
    add(entry, entry.owner ?? owners.after(entry.account), entry.amount);
  const changed = new Map<string, Change[]>();
  for (const [mint, ofMint] of net) {
    const changes = [...ofMint]
      .map(([owner, amount]) => ({ owner, amount }))
      .filter(({ amount }) => amount !== 0n);
    if (changes.length > 0) changed.set(mint, changes);
  }
  return changed;
}

function brief(err: unknown): string {
  return (typeof err === 'string' ? err : JSON.stringify(err)).slice(0, 200);
}
