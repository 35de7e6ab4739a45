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
