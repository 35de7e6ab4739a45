import { RpcUnavailable } from '@quittance/verify/chain/rpc-errors';
import type { Rpc } from '@/server/chain/rpc';
import type { RawTransaction } from '@quittance/verify/chain/raw-transaction';

/** Signatures of an address's transactions that did not fail and are final, newest first. */
export async function* finalHistoryOf(
  rpc: Pick<Rpc, 'getSignaturesForAddress'>,
  address: string,
): AsyncGenerator<string> {
  let before: string | undefined;
  for (;;) {
    const lines = await rpc.getSignaturesForAddress(address, before ? { before } : {});
    for (const line of lines) if (!line.failed && line.final) yield line.signature;
    before = lines.at(-1)?.signature;
    if (before === undefined) return;
  }
}

/** A transaction that a history lists as final. Throws RpcUnavailable when no node gives it: it is there. */
export async function getListed(
  rpc: Pick<Rpc, 'getTransaction'>,
  signature: string,
): Promise<RawTransaction> {
  const transaction = await rpc.getTransaction(signature, 'finalized');
  if (transaction === null) throw new RpcUnavailable('a node lists it, and none gives it');
  return transaction;
}
