import type { Rpc } from './rpc';

/**
 * A blockhash lives for 150 blocks (Agave, MAX_PROCESSING_AGE). A transaction seen in a slot carried one
 * that was valid then, and slots count at least as fast as blocks: after this many blocks beyond the slot
 * in which it was seen, it cannot land on any fork.
 */
const BLOCKHASH_LIFE_SLOTS = 150n;

/** Slots without a block lengthen a blockhash's life; this covers one in two being skipped. */
const SKIPPED_SLOTS_MARGIN = 150n;

/**
 * Whether a transaction that was seen in `seenSlot` is gone for good: every node is asked first for its
 * final slot and then for the status; all are far enough past the slot and none knows the transaction.
 * False while that is not certain. Throws RpcUnavailable when a node does not answer.
 */
export async function isDropped(o: {
  rpc: Rpc;
  signature: string;
  seenSlot: bigint;
}): Promise<boolean> {
  const views = await Promise.all(
    Array.from({ length: o.rpc.nodes }, async (_, index) => {
      const node = o.rpc.onNode(index);
      const final = await node.getSlot('finalized');
      const { status, slot } = await node.seeSignature(o.signature);
      // One address may hide several machines: the one that knows nothing must have seen that slot.
      if (status !== null || slot < final) return false;
      return final > o.seenSlot + BLOCKHASH_LIFE_SLOTS + SKIPPED_SLOTS_MARGIN;
    }),
  );
  return views.every(Boolean);
}
