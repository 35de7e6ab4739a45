import type { Rpc } from './rpc';
import { isNodeSilence } from './rpc-errors';
import type { SignatureStatus } from './rpc-schemas';

/** Nodes that must each say that a transaction failed for good, where there are as many. */
const AGREEING_NODES = 2;

/** How many nodes must say finally that a transaction failed before it counts as failed. */
export function failuresNeeded({ nodes }: Pick<Rpc, 'nodes'>): number {
  return Math.min(AGREEING_NODES, nodes);
}

/**
 * What each node says of some signatures, in the order of the nodes and of the signatures; null for a node that
 * gives no usable answer. Never throws for such a node.
 */
export function statusesByNode(
  rpc: Pick<Rpc, 'nodes' | 'onNode'>,
  signatures: readonly string[],
): Promise<((SignatureStatus | null)[] | null)[]> {
  return Promise.all(
    Array.from({ length: rpc.nodes }, async (_, node) => {
      try {
        return await rpc.onNode(node).getSignatureStatuses(signatures);
      } catch (error) {
        if (isNodeSilence(error)) return null;
        throw error;
      }
    }),
  );
}

/** Whether a status says that the transaction landed for good and without an error. */
export function isFinalLanding(status: SignatureStatus | null | undefined): boolean {
  return status?.err === null && status.confirmationStatus === 'finalized';
}
