import { NODE_BYTES } from './node-hash';

/*
 * A tree account, little-endian, by the public source of account-compression:
 * - header (56): type u8 = 1, version u8 = 0, buffer u32, depth u32, authority 32, creation slot u64, 6 free
 * - counters (24): sequence u64, active change log u64, change logs in use u64
 * - change logs: `buffer` times root 32, path depth x 32, leaf index u32, 4 free
 * - rightmost proof: depth x 32, leaf 32, number of leaves u32, 4 free
 * - canopy: the top nodes below the root, level by level
 */
const HEADER_BYTES = 56;
const COUNTER_BYTES = 24;

export const TREE_FIELDS = {
  accountType: 0,
  headerVersion: 1,
  bufferSize: 2,
  depth: 6,
  authority: 10,
  creationSlot: 42,
  sequence: HEADER_BYTES,
  activeLog: HEADER_BYTES + 8,
  logsInUse: HEADER_BYTES + 16,
} as const;

/** Depth/buffer pairs the compression program was compiled for. */
const SUPPORTED_PAIRS = new Set(
  (
    '3/8 5/8 6/16 7/16 8/16 9/16 10/32 11/32 12/32 13/32 14/64 14/256 14/1024 14/2048 15/64 16/64 17/64 ' +
    '18/64 19/64 20/64 20/256 20/1024 20/2048 24/64 24/256 24/512 24/1024 24/2048 26/512 26/1024 26/2048 ' +
    '30/512 30/1024 30/2048'
  ).split(' '),
);

export function isSupportedPair(depth: number, bufferSize: number): boolean {
  return SUPPORTED_PAIRS.has(`${depth}/${bufferSize}`);
}

/** Where the parts of a tree account begin, in bytes. */
export type TreeLayout = {
  depth: number;
  bufferSize: number;
  changeLogAt: (slot: number) => number;
  rightmostAt: number;
  canopyAt: number;
};

export function treeLayout(depth: number, bufferSize: number): TreeLayout {
  const changeLogBytes = NODE_BYTES + depth * NODE_BYTES + 8;
  const changeLogAt = (slot: number) => HEADER_BYTES + COUNTER_BYTES + slot * changeLogBytes;
  const rightmostAt = changeLogAt(bufferSize);
  return {
    depth,
    bufferSize,
    changeLogAt,
    rightmostAt,
    canopyAt: rightmostAt + depth * NODE_BYTES + NODE_BYTES + 8,
  };
}

/** Levels cached in an account of this length. Null when the spare bytes make no whole canopy. */
export function canopyDepth(layout: TreeLayout, accountBytes: number): number | null {
  // A canopy of c levels has 2 + 4 + … + 2^c = 2^(c+1) - 2 nodes.
  const levels = Math.log2((accountBytes - layout.canopyAt) / NODE_BYTES + 2) - 1;
  return Number.isInteger(levels) && levels >= 0 ? levels : null;
}
