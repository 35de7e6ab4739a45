import { BoundedMap, perChain } from './per-chain';
import type { Rpc } from './rpc';

/**
 * A finalized block as stored here: its links, and the signatures cut to their first characters.
 */
export type BlockNote = {
  slot: bigint;
  height: bigint;
  blockhash: string;
  parentSlot: bigint;
  previousBlockhash: string;
  prefixes: Buffer;
};

export type BlockReader = {
  /** The block of a slot. Null when the node has none there, which alone proves nothing. */
  read(slot: bigint): Promise<BlockNote | null>;
};

type Node = Pick<Rpc, 'getBlock'>;

/** About ten windows of 150 blocks. 4,000 signatures a block take about 50 KB. */
const MOST_KEPT = 2_000;
/** Blocks that are asked of a node at once: enough to read a window in seconds, few enough for any plan. */
const AT_ONCE = 8;
/** How long "no block" is kept. A node that is restored may have it later. */
const EMPTY_KEPT_MS = 2_000;
/**
 * Consecutive slots without a block that are skipped. More count as a hole in the node's history.
 */
const MOST_SKIPPED = 256n;
/** Of base58: 70 bits. Two signatures that share them are distinguished by reading the whole block. */
const PREFIX_CHARACTERS = 12;

const readersOf = perChain(() => new Map<number, BlockReader>());

/**
 * The blocks of one node of `rpc`. All questions of this process share what was read, so that a window is read
 * once, however many transactions are searched for in it. A walk that was cut short continues where it ended.
 */
export function blockReader(rpc: Pick<Rpc, 'calls' | 'unmetered'>, node: number): BlockReader {
  const readers = readersOf(rpc);
  const known = readers.get(node) ?? openReader(rpc.unmetered.onNode(node));
  readers.set(node, known);
  return known;
}

/** Whether a block may hold a transaction. A yes must be checked, a no is certain. */
export function mayHold(note: BlockNote, signature: string): boolean {
  return note.prefixes.includes(prefixOf(signature), 0, 'latin1');
}

/**
 * The last block at a slot or before it that the node knows; null when there is none for a while.
 */
export async function lastBlock(reader: BlockReader, slot: bigint): Promise<BlockNote | null> {
  for (let at = slot; at >= 0n && slot - at <= MOST_SKIPPED; at -= 1n) {
    const note = await reader.read(at);
    if (note) return note;
  }
  return null;
}

function openReader(node: Node): BlockReader {
  const kept = new BoundedMap<bigint, BlockNote>(MOST_KEPT);
  const empty = new BoundedMap<bigint, number>(MOST_KEPT);
  const asked = new Map<bigint, Promise<BlockNote | null>>();
  const inTurn = turns(AT_ONCE);

  const ask = async (slot: bigint): Promise<BlockNote | null> => {
    const block = await inTurn(() => node.getBlock(slot));
    if (block === null) {
      empty.set(slot, performance.now() + EMPTY_KEPT_MS);
      return null;
    }
    const { signatures, ...links } = block;
    const prefixes = Buffer.from(signatures.map(prefixOf).join(''), 'latin1');
    const note: BlockNote = { slot, ...links, prefixes };
    kept.set(slot, note);
    return note;
  };

  return {
    read: (slot) => {
      const known = kept.get(slot);
      if (known) return Promise.resolve(known);
      if ((empty.get(slot) ?? 0) > performance.now()) return Promise.resolve(null);
      const under = asked.get(slot);
      if (under) return under;
      const asking = ask(slot).finally(() => asked.delete(slot));
      asked.set(slot, asking);
      return asking;
    },
  };
}

function prefixOf(signature: string): string {
  return signature.slice(0, PREFIX_CHARACTERS).padEnd(PREFIX_CHARACTERS, '.');
}

/** Runs at most `most` of the given works at once, in the order they came. */
function turns(most: number): <T>(work: () => Promise<T>) => Promise<T> {
  let running = 0;
  const waiting: (() => void)[] = [];
  return async (work) => {
    if (running >= most) await new Promise<void>((resolve) => waiting.push(resolve));
    running += 1;
    try {
      return await work();
    } finally {
      running -= 1;
      waiting.shift()?.();
    }
  };
}

/** Block heights in which a transaction could land, both included. */
export type Window = { from: bigint; to: bigint };

export type Walk =
  /** Every block of the window was read, each linked to the one before. None is wanted. */
  | { state: 'whole'; slots: bigint[] }
  | { state: 'found'; slot: bigint }
  /** Out of time. Blocks that were read are kept, so that the next walk continues from there. */
  | { state: 'unfinished' }
  /** The node does not have every block, so it proves nothing. */
  | { state: 'gap'; reason: string };

/** Slots that are asked for ahead of the one that is waited for. */
const AHEAD = 8n;
/** Guesses for where the window begins. Each corrects the error of the one before. */
const MOST_GUESSES = 40;

/**
 * Reads every block of a window from one node and searches for one that `isWanted`. A slot without
 * a block is never believed. The next existing block must name the last one as its parent, by slot
 * and by hash, and be one higher. `tip` is the node's last finalized block and must be at or past
 * the window's end. `until` is on the clock of `performance.now()`. Throws RpcUnavailable.
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
 * A block whose height is `height` or a little less. Slots count at least as fast as heights, so a
 * slot as far back as the height is never too early. Each read shows the distance that remains.
 * Null where the node has none.
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
      // Every waiter gets the error.
      reader.read(ahead).catch(() => undefined);
    const note = await reader.read(slot);
    if (note) return note;
  }
  return null;
}
