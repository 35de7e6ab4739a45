import { MOST_APART, provenTop } from './proven-top';

/** Past a height by so many blocks, another node shows that one which is not there yet stands still. */
const WELL_PAST_BLOCKS = 150n;

/**
 * Why the word of a node that its time has not come counts for nothing, or null while it keeps up. `height` is
 * its last final block, `heights` those of every node that answers, `due` the height that the question is about.
 * A node that stands still would else keep a transaction open for ever. One that tells a height far above all others
 * makes no other one stale: see provenTop.
 */
export function staleReason(o: {
  height: bigint;
  heights: readonly bigint[];
  due?: bigint;
}): string | null {
  const highest = provenTop(o.heights) ?? o.height;
  const isBehind = highest - o.height > MOST_APART;
  const isShort = o.due !== undefined && o.height <= o.due && highest - o.due > WELL_PAST_BLOCKS;
  if (!isBehind && !isShort) return null;
  return `its last final block ${o.height} is ${highest - o.height} behind another node's`;
}
