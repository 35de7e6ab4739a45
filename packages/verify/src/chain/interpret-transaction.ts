import type { Network } from '../network';
import { gatherMovements } from './gather-movements';
import { judgeMovements } from './judge-movements';
import { listFees } from './list-fees';
import type { LegPrice, Movements } from './movements';
import { normaliseTransaction, type NormalTransaction } from './normalise-transaction';
import type { RawTransaction } from './raw-transaction';
import { readSteps } from './read-actions';
import { refuse, type Refusal, type TransactionReading } from './transfer';

/**
 * Reads a transaction as one payment, or says why it is none. Pure; takes every encoding of
 * `getTransaction` and never throws. Amounts come from balance changes by mint address, parties are
 * owners proved by the transaction itself, instructions explain the changes. Finality is `confirmed`, as
 * a transaction alone does not tell more.
 */
export function interpretTransaction(
  raw: RawTransaction,
  o: { network: Network; prices?: readonly LegPrice[] },
): TransactionReading {
  const read = readMovements(raw);
  return 'code' in read
    ? read
    : judgeMovements(read, { network: o.network, prices: o.prices ?? [] });
}

/** What a transaction moved, or why that cannot be said. Pure, and never throws. */
export function readMovements(raw: RawTransaction): Movements | Refusal {
  const tx = normaliseTransaction(raw);
  if (typeof tx === 'string') return refuse('unreadable_transaction', tx);
  if (tx.err !== null)
    return refuse('transaction_failed', `the chain says ${brief(tx.err)}`, feeAlone(tx, raw));
  if (tx.blockTime === null)
    return refuse('unreadable_transaction', 'the node knows no time of the block');
  const movements = gatherMovements(tx, tx.blockTime, readSteps(tx.instructions));
  return { ...movements, blockIndex: raw.transactionIndex ?? undefined };
}

/** All that a failed transaction did to balances: the network took its fee. */
function feeAlone(tx: NormalTransaction, raw: RawTransaction): Movements | null {
  const { signature, slot, blockTime, feePayer, hasInner } = tx;
  if (blockTime === null) return null;
  return {
    ...{ signature, slot, blockTime, feePayer, hasInner },
    blockIndex: raw.transactionIndex ?? undefined,
    legs: [],
    leftOut: listFees(tx),
    exchanged: [],
    memos: [],
    hasHiddenAssets: false,
  };
}

function brief(err: unknown): string {
  return (typeof err === 'string' ? err : JSON.stringify(err)).slice(0, 200);
}
