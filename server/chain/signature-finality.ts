import type { Rpc } from './rpc';

export type SignatureFinality = 'finalized' | 'confirmed' | 'processed' | 'absent' | 'failed';

/**
 * How far a transaction is. `absent` is said only when every node answers and none knows it; throws
 * RpcUnavailable otherwise. Absent is not gone for good: see isDropped.
 */
export async function signatureFinality(o: {
  rpc: Rpc;
  signature: string;
}): Promise<SignatureFinality> {
  const [status] = await o.rpc.getSignatureStatuses([o.signature]);
  if (!status) return 'absent';
  return status.err === null ? status.confirmationStatus : 'failed';
}
