import { setTimeout as sleep } from 'node:timers/promises';
import { isNodeSilence } from '@quittance/verify/chain/rpc-errors';
import type { Clock } from '@/server/clock';
import { MOST_APART } from './landing-margin';
import type { Rpc } from './rpc';

/** A transaction as far as its place on the chain goes. Without an index its place in the block is not known. */
export type Placed = { signature: string; slot: bigint | null; blockIndex?: number | undefined };

/** Blocks that are asked for at once. */
const AT_ONCE = 4;

/**
 * Transactions in the order of the chain, oldest first: by slot, then by position in the block. Nodes from
 * agave 4.0 on tell the position with the transaction; where one does not, the block is asked for, and
 * only if two of the transactions are in it. One whose block no node gives stands last in its slot, by
 * signature. Throws RpcUnavailable.
 */
export async function inChainOrder<T extends Placed>(
  rpc: Pick<Rpc, 'getBlock'>,
  transactions: readonly T[],
): Promise<T[]> {
  const found = await lookUp(rpc, slotsInDoubt(transactions));
  const placed = transactions.map((one) => ({
    one,
    blockIndex: one.blockIndex ?? found.get(one.signature) ?? Infinity,
  }));
  placed.sort(
    (a, b) =>
      compare(a.one.slot ?? 0n, b.one.slot ?? 0n) ||
      compare(a.blockIndex, b.blockIndex) ||
      compare(a.one.signature, b.one.signature),
  );
  return placed.map(({ one, blockIndex }) =>
    blockIndex === Infinity || one.blockIndex !== undefined ? one : { ...one, blockIndex },
  );
}

/** Slots of several transactions, the place of one of which is not known. */
function slotsInDoubt(transactions: readonly Placed[]): bigint[] {
  const slots = new Map<bigint, { count: number; isKnown: boolean }>();
  for (const { slot, blockIndex } of transactions) {
    if (slot === null) continue;
    const before = slots.get(slot) ?? { count: 0, isKnown: true };
    slots.set(slot, {
      count: before.count + 1,
      isKnown: before.isKnown && blockIndex !== undefined,
    });
  }
  return [...slots].flatMap(([slot, { count, isKnown }]) => (count > 1 && !isKnown ? [slot] : []));
}

async function lookUp(
  rpc: Pick<Rpc, 'getBlock'>,
  slots: readonly bigint[],
): Promise<Map<string, number>> {
  const found = new Map<string, number>();
  const waiting = slots.values();
  const work = async (): Promise<void> => {
    for (const slot of waiting) {
      const block = await rpc.getBlock(slot);
      block?.signatures.forEach((signature, at) => found.set(signature, at));
    }
  };
  await Promise.all(Array.from({ length: Math.min(AT_ONCE, slots.length) }, work));
  return found;
}

function compare<T extends bigint | number | string>(a: T, b: T): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}

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

/** Nodes answer within some tens of milliseconds. One that is silent for longer is not waited for. */
const PATIENCE_MS = 1_000;

/** A node whose last final block is younger than that keeps up; final blocks are about 13 s old. */
const KEEPS_UP_MS = 120_000;

/**
 * The highest processed slot that any node knows now, or null when none answers within a second. Each node is asked,
 * because one of them may lag behind the others. `now` is the database's time.
 *
 * The highest of all is right against a thief: behind a node that lags, the quote of a stranger who saw a payment would
 * look older than the payment. It is wrong against a node that invents a slot, because no payment would ever be later.
 * So where slots are far apart, time decides. A node whose final blocks are as young as the database's clock says is at
 * the end of the chain: nothing can be two minutes above it. A node whose blocks are old lags, and contradicts nobody,
 * however many there are like it.
 */
export async function newestSlot(
  rpc: Pick<Rpc, 'nodes' | 'onNode'>,
  now: Date,
): Promise<bigint | null> {
  const told: { node: number; slot: bigint }[] = [];
  const asked = Array.from({ length: rpc.nodes }, async (_, node) => {
    const slot = await slotOf(rpc, node);
    if (slot !== null) told.push({ node, slot });
  });
  await Promise.race([Promise.all(asked), sleep(PATIENCE_MS, undefined, { ref: false })]);
  const [highest, ...lower] = told.sort((a, b) => compare(b.slot, a.slot));
  if (!highest) return null;
  let top = highest;
  for (const next of lower) {
    const isApart = top.slot - next.slot > MOST_APART;
    if (isApart && (await keepsUp(rpc, next.node, now))) top = next;
  }
  return top.slot;
}

/** Whether the last final block of a node is about as young as one can be. Not so for one that does not tell. */
async function keepsUp(rpc: Pick<Rpc, 'onNode'>, node: number, now: Date): Promise<boolean> {
  const ask = async (): Promise<boolean> => {
    try {
      const one = rpc.onNode(node);
      const seconds = await one.getBlockTime(await one.getSlot('finalized'));
      return seconds !== null && now.getTime() - Number(seconds) * 1000 < KEEPS_UP_MS;
    } catch (error) {
      if (isNodeSilence(error)) return false;
      throw error;
    }
  };
  return Promise.race([ask(), sleep(PATIENCE_MS, false, { ref: false })]);
}

async function slotOf(rpc: Pick<Rpc, 'onNode'>, node: number): Promise<bigint | null> {
  try {
    return await rpc.onNode(node).getSlot('processed');
  } catch (error) {
    if (isNodeSilence(error)) return null;
    throw error;
  }
}
