import { lastBlock, MOST_SKIPPED, type BlockNote, type BlockReader } from './block-reader';

/** Block heights in which a transaction could land, both included. */
export type Window = { from: bigint; to: bigint };

export type Walk =
  /** Every block of the window was read, each linked to the one before; none was looked for and found. */
  | { state: 'whole'; slots: bigint[] }
  | { state: 'found'; slot: bigint }
  /** Out of time. What was read is kept, so that the next walk goes on from there. */
  | { state: 'unfinished' }
  /** The node does not have every block: nothing is proven by it. */
  | { state: 'gap'; reason: string };

/** Slots that are asked for ahead of the one that is waited for. */
const AHEAD = 8n;
/** Guesses for where the window begins; each is closer by what it was off. */
const MOST_GUESSES = 40;

/**
 * Reads every block of a window from one node and looks for one that `isWanted`. That a slot has no block is
 * never taken from the node: the next block there is must name the last one as its parent, by slot and by hash,
 * and be one higher. `tip` is the node's last finalized block and must be at or past the window's end;
 * `until` is on the clock of `performance.now()`. Throws RpcUnavailable.
 */
export async function walkWindow(
  reader: BlockReader,
  o: {
    window: Window;
    tip: { slot: bigint; height: bigint };
    until: number;
    isWanted: (note: BlockNote) => boolean;
  },
): Promise<Walk> {
  const { window, tip } = o;
  if (tip.height < window.to) return { state: 'unfinished' };
  const first = await blockAtOrBefore(reader, { tip, height: window.from });
  if (first === null)
    return { state: 'gap', reason: `it has no block to begin with at height ${window.from}` };
  const slots: bigint[] = [];
  for (let note = first; ;) {
    if (o.isWanted(note)) return { state: 'found', slot: note.slot };
    if (note.height >= window.from) slots.push(note.slot);
    if (note.height >= window.to) return { state: 'whole', slots };
    if (performance.now() > o.until) return { state: 'unfinished' };
    const next = await nextBlock(reader, note.slot, tip.slot);
    if (next === null) return { state: 'gap', reason: `it has no block after slot ${note.slot}` };
    const isLinked =
      next.parentSlot === note.slot &&
      next.previousBlockhash === note.blockhash &&
      next.height === note.height + 1n;
    if (!isLinked)
      return {
        state: 'gap',
        reason: `it lacks blocks between the slots ${note.slot} and ${next.slot}`,
      };
    note = next;
  }
}

/**
 * A block whose height is `height` or a little less. Slots count at least as fast as heights, so that a slot as
 * far back as the height is never too early, and each look tells how far it still is. Null where it has none.
 */
async function blockAtOrBefore(
  reader: BlockReader,
  o: { tip: { slot: bigint; height: bigint }; height: bigint },
): Promise<BlockNote | null> {
  let slot = o.tip.slot - (o.tip.height - o.height);
  for (let guess = 0; guess < MOST_GUESSES; guess += 1) {
    const note = await lastBlock(reader, slot);
    if (note === null || note.height <= o.height) return note;
    slot = note.slot - (note.height - o.height);
  }
  return null;
}

async function nextBlock(
  reader: BlockReader,
  after: bigint,
  last: bigint,
): Promise<BlockNote | null> {
  for (let slot = after + 1n; slot <= last && slot - after <= MOST_SKIPPED; slot += 1n) {
    for (let ahead = slot; ahead < slot + AHEAD && ahead <= last; ahead += 1n)
      // Whoever comes to wait for it gets the error.
      reader.read(ahead).catch(() => undefined);
    const note = await reader.read(slot);
    if (note) return note;
  }
  return null;
}
