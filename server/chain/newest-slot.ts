import { setTimeout as sleep } from 'node:timers/promises';
import { provenTop } from './proven-top';
import type { Rpc } from './rpc';
import { isNodeSilence } from '@quittance/verify/chain/rpc-errors';

/** Nodes answer within some tens of milliseconds. One that is silent for longer is not waited for. */
const PATIENCE_MS = 1_000;

/**
 * The highest processed slot that any node knows now, or null when none answers within a second. Each node
 * is asked, because one of them may lag behind the others. One far above all others does not count: no payment
 * would ever be later than its slot.
 */
export async function newestSlot(rpc: Pick<Rpc, 'nodes' | 'onNode'>): Promise<bigint | null> {
  const slots: bigint[] = [];
  const asked = Array.from({ length: rpc.nodes }, async (_, node) => {
    const slot = await slotOf(rpc, node);
    if (slot !== null) slots.push(slot);
  });
  await Promise.race([Promise.all(asked), sleep(PATIENCE_MS, undefined, { ref: false })]);
  return provenTop(slots);
}

async function slotOf(rpc: Pick<Rpc, 'onNode'>, node: number): Promise<bigint | null> {
  try {
    return await rpc.onNode(node).getSlot('processed');
  } catch (error) {
    if (isNodeSilence(error)) return null;
    throw error;
  }
}
