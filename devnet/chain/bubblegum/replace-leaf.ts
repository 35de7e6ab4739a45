import {
  activeLogOf,
  type ChangeLog,
  leafCountAt,
  logsInUseOf,
  nextLog,
  openTree,
  type OpenTree,
  proofAt,
  readChangeLog,
  readNode,
  writeChangeLog,
} from './merkle-tree';
import { emptyNode, hashPair, NODE_BYTES } from './node-hash';
import { canopyDepth } from './tree-layout';

type Replacement = {
  /** The root of the proof: the tree's root now or one in its buffer. */
  root: Uint8Array;
  previous: Uint8Array;
  leaf: Uint8Array;
  leafIndex: number;
  /** Neighbours from the leaf upwards. Those in the canopy may be left out. */
  proof: readonly Uint8Array[];
};

/**
 * Replaces a leaf in the account bytes (changed in place) and returns the change, like the public
 * source of account-compression. Null, with nothing changed, when the proof does not match the
 * tree.
 */
export function replaceLeaf(data: Uint8Array, o: Replacement): ChangeLog | null {
  const tree = openTree(data);
  const { layout, bytes } = tree;
  const leaves = bytes.readUInt32LE(leafCountAt(tree));
  if (o.leafIndex >= leaves) return null;
  const proof = wholeProof(tree, o);
  if (!fastForward(tree, o, proof)) return null;
  const current = readChangeLog(tree, activeLogOf(tree)).root;
  if (!isSame(climb(o.previous, proof, o.leafIndex).root, current)) return null;
  const { path, root } = climb(o.leaf, proof, o.leafIndex);
  const newest = leaves - 1;
  // The program keeps the rightmost path only as long as a further leaf fits.
  if (leaves < 2 ** layout.depth) {
    if (o.leafIndex === newest) bytes.set(o.leaf, proofAt(tree, layout.depth));
    else {
      const level = meetingOf(o.leafIndex, newest);
      bytes.set(path[level] ?? new Uint8Array(), proofAt(tree, level));
    }
  }
  return writeChangeLog(tree, { slot: nextLog(tree), root, path, leafIndex: o.leafIndex });
}

/** The proof completed from the canopy, with an empty node where neither has one. */
function wholeProof(tree: OpenTree, { proof, leafIndex }: Replacement): Uint8Array[] {
  const { depth, canopyAt } = tree.layout;
  const cached = canopyDepth(tree.layout, tree.bytes.length) ?? 0;
  return Array.from({ length: depth }, (_, level) => {
    const given = proof[level];
    if (given) return given;
    const neighbour = 2 ** (depth - level) + ((leafIndex >>> level) ^ 1);
    const known =
      level >= depth - cached ? readNode(tree, canopyAt + (neighbour - 2) * NODE_BYTES) : null;
    return known?.some((byte) => byte !== 0) ? known : emptyNode(level);
  });
}

/**
 * Updates the proof (changed in place) by the changes since its root. A root outside the buffer
 * gets all changes in the buffer. False when one of them changed the leaf.
 */
function fastForward(tree: OpenTree, o: Replacement, proof: Uint8Array[]): boolean {
  const { bufferSize } = tree.layout;
  const active = activeLogOf(tree);
  const inUse = logsInUseOf(tree);
  const logs = Array.from({ length: inUse }, (_, age) =>
    readChangeLog(tree, (active - age + bufferSize) % bufferSize),
  );
  const age = logs.findIndex(({ root }) => isSame(root, o.root));
  let leaf = o.previous;
  for (const log of logs.slice(0, age === -1 ? inUse : age).reverse()) {
    if (log.leafIndex === o.leafIndex) leaf = log.path[0] ?? leaf;
    else {
      const level = meetingOf(log.leafIndex, o.leafIndex);
      proof[level] = log.path[level] ?? emptyNode(level);
    }
  }
  return isSame(leaf, o.previous);
}

/** Level at which the paths up from two leaves are neighbours. */
function meetingOf(one: number, other: number): number {
  return 31 - Math.clz32(one ^ other);
}

function climb(leaf: Uint8Array, proof: readonly Uint8Array[], leafIndex: number) {
  const path: Uint8Array[] = [];
  let root = leaf;
  for (const [level, neighbour] of proof.entries()) {
    path.push(root);
    root = (leafIndex >>> level) & 1 ? hashPair(neighbour, root) : hashPair(root, neighbour);
  }
  return { path, root };
}

function isSame(one: Uint8Array, other: Uint8Array): boolean {
  return Buffer.compare(one, other) === 0;
}
