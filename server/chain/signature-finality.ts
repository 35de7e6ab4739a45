import type { Rpc } from './rpc';

export type SignatureFinality = 'finalized' | 'confirmed' | 'processed' | 'absent' | 'failed';

/**
 * How far a transaction is. `failed` is said of what the cluster voted on, as one node's latest block may
 * be given up again. `absent` is said only when every node answers and none knows it; throws
 * RpcUnavailable otherwise. Absent is not gone for good: see isDropped.
 */
export async function signatureFinality(o: {
  rpc: Rpc;
  signature: string;
}): Promise<SignatureFinality> {
  const [status] = await o.rpc.getSignatureStatuses([o.signature]);
  if (!status) return 'absent';
  const { err, confirmationStatus } = status;
  return err === null || confirmationStatus === 'processed' ? confirmationStatus : 'failed';
}
