import { setTimeout as sleep } from 'node:timers/promises';
import { isNodeSilence } from '@quittance/verify/chain/rpc-errors';
import type { Clock } from '@/server/clock';
import { MOST_APART } from './landing-margin';
import { nodesNeeded } from './node-statuses';
import type { Rpc } from './rpc';

/**
 * The position of a transaction on the chain. Without an index its position in the block is not
 * known.
 */
export type Placed = { signature: string; slot: bigint | null; blockIndex?: number | undefined };

/** Blocks that are asked for at once. */
const AT_ONCE = 4;

/**
 * Transactions in the order of the chain, oldest first: by slot, then by position in the block. Nodes from
 * agave 4.0 on return the position with the transaction. If one does not, the block is read, and
 * only if two of the transactions are in it. One whose block no node returns comes last in its slot, by
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

/** Slots of several transactions where the place of at least one is not known. */
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

type Told = { node: number; slot: bigint };

/**
 * The highest processed slot that any node knows now. Null when fewer than two of several nodes
 * answer within a second, when the only one does not, or when nodes contradict each other. Each
 * node is asked, because one may lag behind the others. `now` is the database's time.
 *
 * Taking the highest protects against a thief. On a node that lags, the quote of a stranger who saw
 * a payment would look older than the payment.
 *
 * It does not protect against a node that invents a slot, because no payment would ever be later.
 * So if slots are far apart, time decides. A node whose final blocks are as young as the database's
 * clock says is at the end of the chain. No slot can be two minutes above it. A node whose blocks
 * are old lags and contradicts no other, however many lag with it. If the higher node calls the
 * young block of the lower one old, one of the two lies. Then the slot counts that two nodes
 * follow, or none. Against a quote without a slot, a payment without memo counts only with the
 * payer's proof.
 */
export async function newestSlot(
  rpc: Pick<Rpc, 'nodes' | 'onNode'>,
  now: Date,
): Promise<bigint | null> {
  const slots = await Promise.all(
    Array.from({ length: rpc.nodes }, (_, node) => slotOf(rpc, node)),
  );
  const told: Told[] = slots.flatMap((slot, node) => (slot === null ? [] : [{ node, slot }]));
  const [highest, ...lower] = told.sort((a, b) => compare(b.slot, a.slot));
  // One node's slot proves nothing: with a low one, a stranger's quote would look older than a payment.
  if (!highest || told.length < nodesNeeded(rpc.nodes)) return null;
  let top = highest;
  for (const next of lower) {
    if (top.slot - next.slot <= MOST_APART) continue;
    const final = await finalOf(rpc, next.node, now);
    if (final === null) continue;
    if (await callsOld(rpc, { node: top.node, slot: final, now }))
      return agreedSlot(rpc, told, now);
    top = next;
  }
  return top.slot;
}

/** The highest slot that a second node is near to, both with young blocks; null when there is none. */
async function agreedSlot(
  rpc: Pick<Rpc, 'onNode'>,
  told: readonly Told[],
  now: Date,
): Promise<bigint | null> {
  const finals = await Promise.all(told.map(({ node }) => finalOf(rpc, node, now)));
  const current = told.filter((_, place) => finals[place] !== null);
  const agreed = current.find(({ slot }, place) =>
    current.some((one, other) => other > place && slot - one.slot <= MOST_APART),
  );
  return agreed?.slot ?? null;
}

/** Slot of the last final block of a node, if the node says that it is as young as possible; else null. */
function finalOf(rpc: Pick<Rpc, 'onNode'>, node: number, now: Date): Promise<bigint | null> {
  return inTime(null, async () => {
    const one = rpc.onNode(node);
    const slot = await one.getSlot('finalized');
    const seconds = await one.getBlockTime(slot);
    return seconds !== null && isYoung(seconds, now) ? slot : null;
  });
}

/** Whether a node says that a block is too old to be the last final one. One that does not know it contradicts nobody. */
function callsOld(
  rpc: Pick<Rpc, 'onNode'>,
  o: { node: number; slot: bigint; now: Date },
): Promise<boolean> {
  return inTime(false, async () => {
    const seconds = await rpc.onNode(o.node).getBlockTime(o.slot);
    return seconds !== null && !isYoung(seconds, o.now);
  });
}

function isYoung(seconds: bigint, now: Date): boolean {
  return now.getTime() - Number(seconds) * 1000 < KEEPS_UP_MS;
}

/** The answer of a node within a second, or a mark for its silence. */
async function inTime<T>(silence: T, ask: () => Promise<T>): Promise<T> {
  const answer = async (): Promise<T> => {
    try {
      return await ask();
    } catch (error) {
      if (isNodeSilence(error)) return silence;
      throw error;
    }
  };
  return Promise.race([answer(), sleep(PATIENCE_MS, silence, { ref: false })]);
}

function slotOf(rpc: Pick<Rpc, 'onNode'>, node: number): Promise<bigint | null> {
  return inTime(null, () => rpc.onNode(node).getSlot('processed'));
}
