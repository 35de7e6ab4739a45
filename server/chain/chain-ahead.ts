import type { Clock } from '@/server/clock';
import type { Rpc } from './rpc';

/** Slot time that validators aim at (DEFAULT_MS_PER_SLOT of agave). */
const SLOT_MS = 400;

/**
 * Milliseconds by which the chain's clock is ahead of ours (negative: behind), by the time of the newest final
 * block. A final block is some slots old, and its time is in whole seconds: two or three seconds are
 * normal. Null when the nodes have no time for that block. Throws RpcUnavailable and RpcRefused.
 */
export async function chainAheadMs(o: {
  rpc: Pick<Rpc, 'getSlot' | 'getBlockTime'>;
  clock: Clock;
}): Promise<number | null> {
  const [final, newest] = await Promise.all([
    o.rpc.getSlot('finalized'),
    o.rpc.getSlot('confirmed'),
  ]);
  const blockTime = await o.rpc.getBlockTime(final);
  if (blockTime === null) return null;
  const ageMs = Math.max(0, Number(newest - final)) * SLOT_MS;
  return Number(blockTime) * 1000 + ageMs - o.clock.now().getTime();
}
