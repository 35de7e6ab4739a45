import { expect, test } from 'vitest';
import { appendLeaf, initTree, openTree, readChangeLog, activeLogOf } from './merkle-tree';
import { emptyNode, hashPair } from './node-hash';
import { replaceLeaf } from './replace-leaf';
import { treeLayout } from './tree-layout';

const DEPTH = 3;
const BUFFER = 8;
const leafOf = (text: string) => Uint8Array.from(Buffer.alloc(32, text));

/** A tree account with a canopy of this many levels, beside a plain list of its leaves. */
function makeTree(canopy: number) {
  const data = new Uint8Array(treeLayout(DEPTH, BUFFER).canopyAt + (2 ** (canopy + 1) - 2) * 32);
  initTree(data, { depth: DEPTH, bufferSize: BUFFER, authority: leafOf('a'), slot: 1n });
  const leaves: Uint8Array[] = [];
  const levels = () => {
    const rows = [Array.from({ length: 2 ** DEPTH }, (_, at) => leaves[at] ?? emptyNode(0))];
    for (let level = 0; level < DEPTH; level += 1) {
      const below = rows[level] ?? [];
      rows.push(
        Array.from({ length: below.length / 2 }, (_, at) =>
          hashPair(below[2 * at] ?? emptyNode(0), below[2 * at + 1] ?? emptyNode(0)),
        ),
      );
    }
    return rows;
  };
  const rootNow = () => levels()[DEPTH]?.[0] ?? emptyNode(DEPTH);
  return {
    data,
    leaves,
    rootNow,
    rootOnChain: () => {
      const tree = openTree(data);
      return readChangeLog(tree, activeLogOf(tree)).root;
    },
    append: (leaf: Uint8Array) => {
      leaves.push(leaf);
      return appendLeaf(data, leaf);
    },
    /** The proof of a client that reads the tree now. */
    read: (leafIndex: number, proofLength = DEPTH) => ({
      root: rootNow(),
      previous: leaves[leafIndex] ?? emptyNode(0),
      leafIndex,
      proof: levels()
        .slice(0, proofLength)
        .map((row, level) => row[(leafIndex >>> level) ^ 1] ?? emptyNode(level)),
    }),
  };
}

test('a replaced leaf gives the root of its leaves, and later mints continue from it', () => {
  const tree = makeTree(0);
  for (const text of 'bcdef') tree.append(leafOf(text));
  for (const [at, text] of [
    [0, 'u'],
    [4, 'v'],
    [3, 'w'],
  ] as const) {
    const change = replaceLeaf(tree.data, { ...tree.read(at), leaf: leafOf(text) });
    tree.leaves[at] = leafOf(text);
    expect(change?.leafIndex).toBe(at);
    expect(tree.rootOnChain()).toEqual(tree.rootNow());
    tree.append(leafOf('x'));
    expect(tree.rootOnChain()).toEqual(tree.rootNow());
  }
  // The tree is full now, and a replacement still works.
  expect(replaceLeaf(tree.data, { ...tree.read(7), leaf: leafOf('z') })).not.toBeNull();
  tree.leaves[7] = leafOf('z');
  expect(tree.rootOnChain()).toEqual(tree.rootNow());
});

test('an older proof works after later changes, and fails once its own leaf has changed', () => {
  const tree = makeTree(0);
  for (const text of 'bcd') tree.append(leafOf(text));
  const early = tree.read(1);
  tree.append(leafOf('e'));
  expect(replaceLeaf(tree.data, { ...tree.read(0), leaf: leafOf('u') })).not.toBeNull();
  tree.leaves[0] = leafOf('u');
  expect(replaceLeaf(tree.data, { ...early, leaf: leafOf('v') })).not.toBeNull();
  tree.leaves[1] = leafOf('v');
  expect(tree.rootOnChain()).toEqual(tree.rootNow());
  const before = Uint8Array.from(tree.data);
  expect(replaceLeaf(tree.data, { ...early, leaf: leafOf('w') })).toBeNull();
  expect(
    replaceLeaf(tree.data, { ...tree.read(2), previous: leafOf('y'), leaf: leafOf('w') }),
  ).toBeNull();
  expect(replaceLeaf(tree.data, { ...tree.read(4), leaf: leafOf('w') })).toBeNull();
  expect(tree.data).toEqual(before);
});

test('the nodes that the canopy has may be left out of a proof', () => {
  const tree = makeTree(2);
  for (const text of 'bcdef') tree.append(leafOf(text));
  expect(replaceLeaf(tree.data, { ...tree.read(2, 1), leaf: leafOf('u') })).not.toBeNull();
  tree.leaves[2] = leafOf('u');
  expect(tree.rootOnChain()).toEqual(tree.rootNow());
});
