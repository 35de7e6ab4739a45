import type { Rpc } from './rpc';
import { isNodeSilence } from '@quittance/verify/chain/rpc-errors';
import type { SignatureStatus } from '@quittance/verify/chain/rpc-schemas';

/** Nodes that must each say what became of a transaction, where there are as many. */
export const AGREEING_NODES = 2;

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

/** Whether so many nodes answered that what they agree on counts: two, or the one there is. A dead third is no obstacle. */
export function areEnough(
  told: readonly (readonly unknown[] | null)[],
  { nodes }: Pick<Rpc, 'nodes'>,
): boolean {
  return told.filter((node) => node !== null).length >= Math.min(AGREEING_NODES, nodes);
}

/** Whether a status says that the transaction landed for good and without an error. */
export function isFinalLanding(status: SignatureStatus | null | undefined): boolean {
  return status?.err === null && status.confirmationStatus === 'finalized';
}

/**
 * Whether a final landing may be built upon: a node says that it is final, and a second one, where there is one,
 * knows it in the same block, as confirmed at least.
 */
export function isWitnessed(
  statuses: readonly (SignatureStatus | null)[],
  { nodes }: Pick<Rpc, 'nodes'>,
): boolean {
  const knows = (status: SignatureStatus | null, slot: bigint) =>
    status?.err === null && status.slot === slot && status.confirmationStatus !== 'processed';
  return statuses.some(
    (final) =>
      final !== null &&
      isFinalLanding(final) &&
      statuses.filter((one) => knows(one, final.slot)).length >= Math.min(AGREEING_NODES, nodes),
  );
}
