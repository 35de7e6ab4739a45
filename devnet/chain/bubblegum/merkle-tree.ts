import { emptyNode, hashPair, NODE_BYTES } from './node-hash';
import { canopyDepth, TREE_FIELDS, treeLayout, type TreeLayout } from './tree-layout';

/**
 * The effect of one change on a tree: the nodes from the leaf up to the root with their heap
 * numbers.
 */
export type ChangeLog = {
  path: { node: Uint8Array; index: number }[];
  sequence: bigint;
  leafIndex: number;
};

export type OpenTree = { bytes: Buffer; layout: TreeLayout };

/** Writes an empty tree into zeroed account bytes (changed in place) and returns the change. */
export function initTree(
  data: Uint8Array,
  init: { depth: number; bufferSize: number; authority: Uint8Array; slot: bigint },
): ChangeLog {
  const bytes = asBuffer(data);
  bytes[TREE_FIELDS.accountType] = 1;
  bytes[TREE_FIELDS.headerVersion] = 0;
  bytes.writeUInt32LE(init.bufferSize, TREE_FIELDS.bufferSize);
  bytes.writeUInt32LE(init.depth, TREE_FIELDS.depth);
  bytes.set(init.authority, TREE_FIELDS.authority);
  bytes.writeBigUInt64LE(init.slot, TREE_FIELDS.creationSlot);
  bytes.writeBigUInt64LE(1n, TREE_FIELDS.logsInUse);
  const tree = openTree(data);
  const path = Array.from({ length: init.depth }, (_, level) => emptyNode(level));
  path.forEach((node, level) => bytes.set(node, proofAt(tree, level)));
  return writeChangeLog(tree, { slot: 0, root: emptyNode(init.depth), path, leafIndex: 0 });
}

/** Appends a leaf to the account bytes (changed in place) and returns the change. */
export function appendLeaf(data: Uint8Array, leaf: Uint8Array): ChangeLog {
  const tree = openTree(data);
  const { bytes, layout } = tree;
  const leafIndex = bytes.readUInt32LE(leafCountAt(tree));
  if (leafIndex >= 2 ** layout.depth) throw new Error(`tree is full with ${leafIndex} leaves`);
  const { path, root } = leafIndex === 0 ? firstPath(tree, leaf) : nextPath(tree, leaf, leafIndex);

  const slot = nextLog(tree);
  bytes.set(leaf, proofAt(tree, layout.depth));
  bytes.writeUInt32LE(leafIndex + 1, leafCountAt(tree));
  return writeChangeLog(tree, { slot, root, path, leafIndex });
}

/** Counts one more change, and returns the offset of its log. */
export function nextLog(tree: OpenTree): number {
  const { bytes, layout } = tree;
  const slot = (activeLogOf(tree) + 1) % layout.bufferSize;
  const inUse = logsInUseOf(tree);
  bytes.writeBigUInt64LE(BigInt(slot), TREE_FIELDS.activeLog);
  bytes.writeBigUInt64LE(BigInt(Math.min(inUse + 1, layout.bufferSize)), TREE_FIELDS.logsInUse);
  bytes.writeBigUInt64LE(sequenceOf(tree) + 1n, TREE_FIELDS.sequence);
  return slot;
}

/** Offset of the newest change log. */
export function activeLogOf({ bytes }: OpenTree): number {
  return Number(bytes.readBigUInt64LE(TREE_FIELDS.activeLog));
}

export function logsInUseOf({ bytes }: OpenTree): number {
  return Number(bytes.readBigUInt64LE(TREE_FIELDS.logsInUse));
}

function firstPath(tree: OpenTree, leaf: Uint8Array) {
  const path: Uint8Array[] = [];
  let node = leaf;
  for (let level = 0; level < tree.layout.depth; level++) {
    path.push(node);
    node = hashPair(node, readNode(tree, proofAt(tree, level)));
  }
  return { path, root: node };
}

/**
 * Hashes a new leaf up to the root, and turns the stored proof of the rightmost leaf into the new
 * leaf's. The paths of the old and the new leaf meet at the level of the lowest set bit of the new
 * index. Below that level the new leaf's neighbours are empty. At that level the old leaf's subtree
 * becomes the left neighbour.
 */
function nextPath(tree: OpenTree, leaf: Uint8Array, leafIndex: number) {
  const meeting = Math.log2(leafIndex & -leafIndex);
  const path: Uint8Array[] = [];
  let node = leaf;
  let old = readNode(tree, proofAt(tree, tree.layout.depth));
  for (let level = 0; level < tree.layout.depth; level++) {
    path.push(node);
    const at = proofAt(tree, level);
    const proof = readNode(tree, at);
    const wasLeft = (((leafIndex - 1) >>> level) & 1) === 0;
    if (level < meeting) {
      old = wasLeft ? hashPair(old, proof) : hashPair(proof, old);
      node = hashPair(node, emptyNode(level));
      tree.bytes.set(emptyNode(level), at);
    } else if (level === meeting) {
      node = hashPair(old, node);
      tree.bytes.set(old, at);
    } else {
      node = wasLeft ? hashPair(node, proof) : hashPair(proof, node);
    }
  }
  return { path, root: node };
}

export function writeChangeLog(
  tree: OpenTree,
  log: { slot: number; root: Uint8Array; path: Uint8Array[]; leafIndex: number },
): ChangeLog {
  const { bytes, layout } = tree;
  const at = layout.changeLogAt(log.slot);
  bytes.set(log.root, at);
  log.path.forEach((node, level) => bytes.set(node, at + NODE_BYTES * (level + 1)));
  bytes.writeUInt32LE(log.leafIndex, at + NODE_BYTES * (layout.depth + 1));
  const below = log.path.map((node, level) => ({
    node,
    index: 2 ** (layout.depth - level) + (log.leafIndex >>> level),
  }));
  const sequence = sequenceOf(tree);
  if (sequence > 0n) writeCanopy(tree, below);
  return { path: [...below, { node: log.root, index: 1 }], sequence, leafIndex: log.leafIndex };
}

/** A change log in the account's format. */
export function readChangeLog(
  tree: OpenTree,
  slot: number,
): { root: Uint8Array; path: Uint8Array[]; leafIndex: number } {
  const { bytes, layout } = tree;
  const at = layout.changeLogAt(slot);
  const path = Array.from({ length: layout.depth }, (_, level) =>
    readNode(tree, at + NODE_BYTES * (level + 1)),
  );
  const leafIndex = bytes.readUInt32LE(at + NODE_BYTES * (layout.depth + 1));
  return { root: readNode(tree, at), path, leafIndex };
}

/** An empty tree leaves its canopy zero. Readers take zero for "empty subtree". */
function writeCanopy(tree: OpenTree, below: ChangeLog['path']): void {
  const cached = canopyDepth(tree.layout, tree.bytes.length) ?? 0;
  for (const { node, index } of below.slice(tree.layout.depth - cached))
    tree.bytes.set(node, tree.layout.canopyAt + (index - 2) * NODE_BYTES);
}

export function openTree(data: Uint8Array): OpenTree {
  const bytes = asBuffer(data);
  const depth = bytes.readUInt32LE(TREE_FIELDS.depth);
  return { bytes, layout: treeLayout(depth, bytes.readUInt32LE(TREE_FIELDS.bufferSize)) };
}

function asBuffer(data: Uint8Array): Buffer {
  return Buffer.from(data.buffer, data.byteOffset, data.length);
}

function sequenceOf(tree: OpenTree): bigint {
  return tree.bytes.readBigUInt64LE(TREE_FIELDS.sequence);
}

/** Level `depth` is the rightmost leaf itself. */
export function proofAt(tree: OpenTree, level: number): number {
  return tree.layout.rightmostAt + level * NODE_BYTES;
}

export function leafCountAt(tree: OpenTree): number {
  return proofAt(tree, tree.layout.depth + 1);
}

export function readNode(tree: OpenTree, at: number): Uint8Array {
  return Uint8Array.from(tree.bytes.subarray(at, at + NODE_BYTES));
}
