import { fetchTransaction } from './fetch-transaction';
import { interpretTransaction } from './interpret-transaction';
import type { Network } from '../network';
import type { LegPrice } from './movements';
import type { ChainReader } from './chain-reader';
import { RpcRefused, UNSUPPORTED_VERSION } from './rpc-errors';
import {
  refuse,
  withFinality,
  type Refusal,
  type TransactionReading,
  type TransferRefusal,
} from './transfer';
import { listOwnedAccounts } from './list-owned-accounts';
import type { RawTransaction } from './raw-transaction';
import type { OwnedAccount } from './list-owned-accounts';

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
 * Reads the transaction with this signature as a payment: two RPC calls, the transaction at `confirmed`
 * and its status, which tells whether it is final. Throws RpcUnavailable when no node gives a usable
 * answer, so that a node that is down never looks like a transaction that is not there.
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
      return refused('transaction_not_found', `${signature} is no transaction signature`);
    throw error;
  }
}

/**
 * A status that is missing or too early says nothing against the transaction, which a node gave us. One of
 * another slot, or of a failure, is that of another fork: what was read is not what became final.
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
