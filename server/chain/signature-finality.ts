import type { Rpc } from './rpc';

export type SignatureFinality = 'finalized' | 'confirmed' | 'processed' | 'absent' | 'failed';

/**
 * How far a transaction is. `failed` is said once that is final: before, the block may be given up, and the
 * same bytes land in another. `absent` is said only when every node answers and none knows it; throws
 * RpcUnavailable otherwise. Absent is not gone for good: see lookForDropped.
 */
export async function signatureFinality(o: {
  rpc: Rpc;
  signature: string;
}): Promise<SignatureFinality> {
  const [status] = await o.rpc.getSignatureStatuses([o.signature]);
  if (!status) return 'absent';
  const { err, confirmationStatus } = status;
  return err !== null && confirmationStatus === 'finalized' ? 'failed' : confirmationStatus;
}
