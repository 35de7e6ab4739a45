import type { Network } from '../network';
import type { ChainReader } from './chain-reader';
import { listFees } from './fees';
import { EXCHANGES } from './exchanges';
import { fetchTransaction } from './fetch-transaction';
import { gatherMovements } from './gather-movements';
import { judgeMovements } from './judge-movements';
import type { LegPrice, Movements } from './movements';
import { normaliseTransaction, type NormalTransaction } from './normalise-transaction';
import type { RawTransaction } from './raw-transaction';
import { readSteps } from './read-actions';
import { RpcRefused, UNSUPPORTED_VERSION } from './rpc-errors';
import { listOwnedAccounts, type OwnedAccount } from './token-accounts';
import { TIPS } from './tips';
import {
  type Refusal,
  refuse,
  type TransactionReading,
  type TransferRefusal,
  withFinality,
} from './transfer';

/** JSON-RPC "invalid params": the node takes the signature for no signature. */
const INVALID_PARAMS = -32602;

/** `prices`: those that an earlier reading was frozen with, by one who knows them. */
type Question = {
  rpc: ChainReader;
  network: Network;
  signature: string;
  prices?: readonly LegPrice[];
};

/**
 * Reads the transaction with this signature as a payment. Makes two RPC calls: the transaction at
 * `confirmed`, and its status, which shows whether it is final. Throws RpcUnavailable when no node
 * gives a usable answer, so a node that is down never looks like a missing transaction.
 */
export async function readTransfer(o: Question): Promise<TransactionReading> {
  return (await readWithAccounts(o)).reading;
}

/** As {@link readTransfer}, with the token accounts that it names, which searches go by. */
export async function readWithAccounts(o: Question): Promise<{
  reading: TransactionReading;
  tokenAccounts?: readonly OwnedAccount[];
  finality: 'confirmed' | 'finalized';
}> {
  const { rpc, signature } = o;
  const fetched = await fetchReadable(rpc, signature);
  if ('refusal' in fetched) return { reading: fetched.refusal, finality: 'confirmed' };
  const reading = interpretTransaction(fetched.raw, o);
  if (!reading.movements) return { reading, finality: 'confirmed' };
  const finality = await finalityOf(rpc, { signature, slot: reading.movements.slot });
  return {
    reading: withFinality(reading, finality),
    tokenAccounts: listOwnedAccounts(fetched.raw),
    finality,
  };
}

type Fetched = { raw: RawTransaction } | { refusal: Refusal };

async function fetchReadable(rpc: ChainReader, signature: string): Promise<Fetched> {
  const refused = (code: TransferRefusal, detail: string): Fetched => ({
    refusal: refuse(code, detail),
  });
  try {
    const raw = await fetchTransaction(rpc, signature);
    if (raw === null)
      return refused('transaction_not_found', `no node knows a confirmed transaction ${signature}`);
    return { raw };
  } catch (error) {
    if (!(error instanceof RpcRefused)) throw error;
    if (error.code === UNSUPPORTED_VERSION)
      return refused(
        'unreadable_transaction',
        'the transaction is of a version above 0, which this service cannot read yet',
      );
    if (error.code === INVALID_PARAMS)
      return refused('transaction_not_found', `${signature} is not a transaction signature`);
    throw error;
  }
}

/**
 * A status that is missing or too early proves nothing against the transaction, which a node
 * returned. A status of another slot, or of a failure, is of another fork: the transaction that was
 * read did not become final.
 */
async function finalityOf(
  rpc: ChainReader,
  o: { signature: string; slot: bigint },
): Promise<'confirmed' | 'finalized'> {
  const [status] = await rpc.getSignatureStatuses([o.signature]);
  const isFinal =
    status?.confirmationStatus === 'finalized' && status.err === null && status.slot === o.slot;
  return isFinal ? 'finalized' : 'confirmed';
}

/**
 * Reads a transaction as one payment, or says why it is none. Pure; takes every encoding of
 * `getTransaction` and never throws. Amounts come from balance changes by mint address, parties are
 * owners proved by the transaction itself, and instructions explain the changes. Finality is
 * `confirmed`, because a transaction alone does not show more.
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

/** The movements of a transaction, or why they are not known. Pure, and never throws. */
export function readMovements(raw: RawTransaction): Movements | Refusal {
  const tx = normaliseTransaction(raw);
  if (typeof tx === 'string') return refuse('unreadable_transaction', tx);
  if (tx.err !== null)
    return refuse('transaction_failed', `the chain says ${brief(tx.err)}`, feeAlone(tx, raw));
  if (tx.blockTime === null)
    return refuse('unreadable_transaction', 'the node has no time of the block');
  const { blockTime } = tx;
  const steps = readSteps(tx.instructions);
  const gather = (tableOf?: Date): Movements => ({
    ...gatherMovements(tx, blockTime, steps, tableOf),
    blockIndex: raw.transactionIndex ?? undefined,
  });
  const earlier = laterDays(tx).map((before) => ({
    before,
    movements: gather(new Date(before.getTime() - 1)),
  }));
  return { ...gather(), earlier: earlier.length === 0 ? undefined : earlier };
}

/** Days, in order, from which a tip account or an exchange counts that this transaction names. */
function laterDays({ keys }: NormalTransaction): Date[] {
  const named = new Set(keys);
  const days = [TIPS, EXCHANGES].flatMap((list) => list.days(named)).map((day) => day.getTime());
  return [...new Set(days)].sort((a, b) => a - b).map((day) => new Date(day));
}

/** All that a failed transaction did to balances: the network took its fee. */
function feeAlone(tx: NormalTransaction, raw: RawTransaction): Movements | null {
  const { signature, slot, blockTime, feePayer, hasInner } = tx;
  if (blockTime === null) return null;
  return {
    signature,
    slot,
    blockTime,
    feePayer,
    hasInner,
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
