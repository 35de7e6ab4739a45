import {
  areEnough,
  failuresNeeded,
  isFinalLanding,
  isWitnessed,
  statusesByNode,
} from './node-statuses';
import type { Rpc } from './rpc';
import { RpcUnavailable } from '@quittance/verify/chain/rpc-errors';
import type { SignatureStatus } from '@quittance/verify/chain/rpc-schemas';

export type SignatureFinality =
  | 'finalized'
  | 'confirmed'
  | 'processed'
  | 'absent'
  | 'failed'
  /** One node alone says that it landed for good: nothing may be built upon it, nor against it. */
  | 'unwitnessed'
  /** A node says that it failed for good, and not enough others say so: nothing may be concluded. */
  | 'contested';

/**
 * How far a transaction is. `finalized` is said once a second node knows it in the same block, where there is
 * one. `failed` is said once that is final and a second node says so: before, the block may be given up, and the
 * same bytes land in another. `absent` is said only when two nodes answer, or the one there is, and none
 * that answers knows it; throws RpcUnavailable or RpcRefused otherwise. Absent is not gone for good: see lookForDropped.
 */
export async function signatureFinality(o: {
  rpc: Rpc;
  signature: string;
}): Promise<SignatureFinality> {
  const { rpc } = o;
  const { known, isWhole } = await statusesOf(o);
  const [first] = known;
  if (!first && isWhole) return 'absent';
  if (!first) throw new RpcUnavailable(`a node could not tell the status of ${o.signature}`);
  if (isWitnessed(known, rpc)) return 'finalized';
  if (known.some(isFinalLanding)) return 'unwitnessed';
  const failures = known.filter(isFinalFailure).length;
  if (failures >= failuresNeeded(rpc)) return 'failed';
  return failures > 0 ? 'contested' : first.confirmationStatus;
}

/** What the nodes say that know it; a single node is asked together with the other questions of the moment. */
async function statusesOf({ rpc, signature }: Parameters<typeof signatureFinality>[0]): Promise<{
  known: SignatureStatus[];
  isWhole: boolean;
}> {
  const told =
    rpc.nodes > 1
      ? await statusesByNode(rpc, [signature])
      : [await rpc.getSignatureStatuses([signature])];
  const known = told.flatMap((node) => node?.[0] ?? []);
  return { known, isWhole: areEnough(told, rpc) };
}

function isFinalFailure({ err, confirmationStatus }: SignatureStatus): boolean {
  return err !== null && confirmationStatus === 'finalized';
}
