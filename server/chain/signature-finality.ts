import { failuresNeeded, isFinalLanding, statusesByNode } from './node-statuses';
import type { Rpc } from './rpc';
import type { SignatureStatus } from './rpc-schemas';

export type SignatureFinality =
  | 'finalized'
  | 'confirmed'
  | 'processed'
  | 'absent'
  | 'failed'
  /** A node says that it failed for good, and not enough others say so: nothing may be concluded. */
  | 'contested';

/**
 * How far a transaction is. `failed` is said once that is final and a second node says so, where there is one:
 * before, the block may be given up, and the same bytes land in another. A final landing that any node shows
 * outweighs every failure. `absent` is said only when every node answers and none knows it; throws
 * RpcUnavailable otherwise. Absent is not gone for good: see lookForDropped.
 */
export async function signatureFinality(o: {
  rpc: Rpc;
  signature: string;
}): Promise<SignatureFinality> {
  const { rpc, signature } = o;
  const [status] = await rpc.getSignatureStatuses([signature]);
  if (!status) return 'absent';
  if (isFinalLanding(status)) return 'finalized';
  if (!(rpc.nodes > 1)) return isFinalFailure(status) ? 'failed' : status.confirmationStatus;
  // The first node that knows it answers for all: here the others are asked as well.
  const told = (await statusesByNode(rpc, [signature])).flatMap((node) => node?.[0] ?? []);
  if (told.some(isFinalLanding)) return 'finalized';
  const failures = told.filter(isFinalFailure).length;
  if (failures >= failuresNeeded(rpc)) return 'failed';
  return isFinalFailure(status) || failures > 0 ? 'contested' : status.confirmationStatus;
}

function isFinalFailure({ err, confirmationStatus }: SignatureStatus): boolean {
  return err !== null && confirmationStatus === 'finalized';
}
