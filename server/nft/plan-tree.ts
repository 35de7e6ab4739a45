import type { Rpc } from '@/server/chain/rpc';

/** A tree that the compression program can make. */
export type TreePlan = {
  depth: number;
  buffer: number;
  canopy: number;
  /** Size of the tree's account. */
  bytes: number;
  /** Leaves it takes. */
  capacity: bigint;
};
export type TreePlanning = { ok: true; plan: TreePlan } | { ok: false; reason: string };

/** Buffer sizes by depth that mpl-account-compression was compiled for (its `tree_sizes.rs`). */
const BUFFERS: Readonly<Record<number, readonly number[]>> = {
  3: [8],
  5: [8],
  6: [16],
  7: [16],
  8: [16],
  9: [16],
  10: [32],
  11: [32],
  12: [32],
  13: [32],
  14: [64, 256, 1024, 2048],
  15: [64],
  16: [64],
  17: [64],
  18: [64],
  19: [64],
  20: [64, 256, 1024, 2048],
  24: [64, 256, 512, 1024, 2048],
  26: [512, 1024, 2048],
  30: [512, 1024, 2048],
};
/** Bubblegum requires a canopy so large that the rest of a proof fits into a transaction. */
const LONGEST_PROOF = 17;
/** Largest account a Solana transaction can make. */
const MOST_BYTES = 10 * 1024 * 1024;

/** Size and capacity of a tree, or the reason why the programs would refuse it. */
export function planTree(o: { depth: number; buffer: number; canopy: number }): TreePlanning {
  const { depth, buffer, canopy } = o;
  const buffers = BUFFERS[depth];
  if (!buffers)
    return no(`depth ${depth} is not offered; choose one of ${Object.keys(BUFFERS).join(', ')}`);
  if (!buffers.includes(buffer))
    return no(`depth ${depth} needs a buffer of ${buffers.join(' or ')}, not ${buffer}`);
  const leastCanopy = Math.max(0, depth - LONGEST_PROOF);
  if (!Number.isInteger(canopy) || canopy < leastCanopy || canopy > depth)
    return no(`depth ${depth} needs a canopy from ${leastCanopy} to ${depth}, not ${canopy}`);
  const bytes = treeBytes(o);
  if (bytes > MOST_BYTES)
    return no(`the tree would take ${bytes} bytes, over the ${MOST_BYTES} of an account`);
  return { ok: true, plan: { depth, buffer, canopy, bytes, capacity: 1n << BigInt(depth) } };
}

/** Header and counters, change logs, rightmost path, canopy: as mpl-account-compression lays them out. */
function treeBytes({ depth, buffer, canopy }: { depth: number; buffer: number; canopy: number }) {
  const path = 40 + depth * 32;
  return 56 + 24 + buffer * path + path + (2 ** (canopy + 1) - 2) * 32;
}

/** Levels of canopy in a tree account of `bytes`; null when they make no whole number. */
export function canopyOf(o: { depth: number; buffer: number; bytes: number }): number | null {
  const levels = Math.log2((o.bytes - treeBytes({ ...o, canopy: 0 })) / 32 + 2) - 1;
  return Number.isInteger(levels) && levels >= 0 ? levels : null;
}

function no(reason: string): TreePlanning {
  return { ok: false, reason };
}

/** Sizes of the two trees that documents and the doctor recommend: 16 thousand places, and 131 thousand. */
export const RECOMMENDED_TREES = {
  small: { depth: 14, buffer: 64, canopy: 8 },
  large: { depth: 17, buffer: 64, canopy: 10 },
} as const;

/** Size of a tree's configuration account. */
const CONFIG_BYTES = 96;
/** Two signatures: the minter's and the new account's. */
const FEE_LAMPORTS = 10_000n;

/** Cost of a tree for the minter: rent of its two accounts, and the network fee. */
export async function priceTree(
  rpc: Pick<Rpc, 'getMinimumBalanceForRentExemption'>,
  plan: TreePlan,
): Promise<{ rentLamports: bigint; totalLamports: bigint }> {
  const rentLamports = await rpc.getMinimumBalanceForRentExemption(plan.bytes);
  const configLamports = await rpc.getMinimumBalanceForRentExemption(CONFIG_BYTES);
  return { rentLamports, totalLamports: rentLamports + configLamports + FEE_LAMPORTS };
}
