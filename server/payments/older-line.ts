import { RpcUnavailable } from '@quittance/verify/chain/rpc-errors';
import type { SignatureLine } from '@quittance/verify/chain/rpc-schemas';

/**
 * The line that the next page of a history goes on before: the oldest of this page. Throws RpcUnavailable when
 * the page leads no further back than the one before it, as of a node that gives the newest lines again and
 * again.
 */
export function olderLine(
  oldest: SignatureLine,
  previous: SignatureLine | undefined,
): SignatureLine {
  const isOlder =
    !previous || (oldest.signature !== previous.signature && oldest.slot <= previous.slot);
  if (isOlder) return oldest;
  throw new RpcUnavailable(`A node gives no lines older than ${previous.signature}`);
}
