import { fetchTransaction } from './fetch-transaction';
import { interpretTransaction } from './interpret-transaction';
import type { Rpc } from './rpc';
import { RpcRefused, UNSUPPORTED_VERSION } from './rpc-errors';
import { refuse, type TransferReading, type TransferRefusal } from './transfer';
import { listOwnedAccounts } from './list-owned-accounts';
import type { RawTransaction } from './raw-transaction';
import type { OwnedAccount } from './stored-reading';

/** JSON-RPC "invalid params": the node takes the signature for no signature. */
const INVALID_PARAMS = -32602;

/**
 * Reads the transaction with this signature as a payment: two RPC calls, the transaction at `confirmed`
 * and its status, which tells whether it is final. Throws RpcUnavailable when no node gives a usable
 * answer, so that a node that is down never looks like a transaction that is not there.
 */
export async function readTransfer(o: { rpc: Rpc; signature: string }): Promise<TransferReading> {
  return (await readWithAccounts(o)).reading;
}

/** As {@link readTransfer}, with the token accounts of a payment, which searches go by. */
export async function readWithAccounts(o: {
  rpc: Rpc;
  signature: string;
}): Promise<{ reading: TransferReading; tokenAccounts?: readonly OwnedAccount[] }> {
  const { rpc, signature } = o;
  const fetched = await fetchReadable(rpc, signature);
  if ('refusal' in fetched) return { reading: fetched.refusal };
  const reading = interpretTransaction(fetched.raw);
  if (!reading.ok) return { reading };
  const blockIndex = fetched.raw.transactionIndex ?? undefined;
  const finality = await finalityOf(rpc, { signature, slot: reading.transfer.slot });
  return {
    reading: { ...reading, transfer: { ...reading.transfer, finality, blockIndex } },
    tokenAccounts: listOwnedAccounts(fetched.raw),
  };
}

type Fetched = { raw: RawTransaction } | { refusal: TransferReading };

async function fetchReadable(rpc: Rpc, signature: string): Promise<Fetched> {
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
  rpc: Rpc,
  o: { signature: string; slot: bigint },
): Promise<'confirmed' | 'finalized'> {
  const [status] = await rpc.getSignatureStatuses([o.signature]);
  const isFinal =
    status?.confirmationStatus === 'finalized' && status.err === null && status.slot === o.slot;
  return isFinal ? 'finalized' : 'confirmed';
}
