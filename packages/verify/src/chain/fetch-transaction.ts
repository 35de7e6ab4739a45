import { normaliseTransaction } from './normalise-transaction';
import type { RawTransaction } from './raw-transaction';
import type { ChainReader } from './chain-reader';
import { RpcUnavailable } from './rpc-errors';

/**
 * The transaction with this signature at `confirmed`, or null when every node says it knows none. Throws
 * RpcUnavailable, for a node that gives another transaction as well, and RpcRefused.
 */
export async function fetchTransaction(
  rpc: Pick<ChainReader, 'getTransaction'>,
  signature: string,
): Promise<RawTransaction | null> {
  const raw = await rpc.getTransaction(signature, 'confirmed');
  if (raw !== null && !isOf(raw, signature))
    throw new RpcUnavailable(`A node returned another transaction than ${signature}`);
  return raw;
}

/** Whether it is the transaction with this signature; bytes that cannot be read may be. */
export function isOf(raw: RawTransaction, signature: string): boolean {
  const given = signatureOf(raw);
  return given === null || given === signature;
}

/** Null for bytes that cannot be read. */
function signatureOf(raw: RawTransaction): string | null {
  if (!Array.isArray(raw.transaction)) return raw.transaction.signatures[0] ?? '';
  const transaction = normaliseTransaction(raw);
  return typeof transaction === 'string' ? null : transaction.signature;
}
