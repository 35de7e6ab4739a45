import { AGREEING_NODES } from '@/server/chain/node-statuses';
import type { Rpc } from '@/server/chain/rpc';
import { isNodeSilence } from '@quittance/verify/chain/rpc-errors';
import { readTree } from './read-tree';

/**
 * Whether a tree has no room by its own account, as two nodes show it, where there are as many. A node that says
 * so when it tries a mint out may lie or follow another chain, and a tree that is closed takes no more leaves.
 */
export async function isTreeFull(
  rpc: Pick<Rpc, 'nodes' | 'onNode'>,
  address: string,
): Promise<boolean> {
  const seen = await Promise.all(
    Array.from({ length: rpc.nodes }, (_, node) => isFullOn(rpc.onNode(node), address)),
  );
  return seen.filter(Boolean).length >= Math.min(AGREEING_NODES, rpc.nodes);
}

async function isFullOn(node: Pick<Rpc, 'getAccountInfo'>, address: string): Promise<boolean> {
  try {
    const reading = await readTree(node, address);
    return reading.ok && reading.tree.minted >= reading.tree.capacity;
  } catch (error) {
    if (isNodeSilence(error)) return false;
    throw error;
  }
}
