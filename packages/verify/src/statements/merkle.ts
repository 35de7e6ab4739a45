import { createHash } from 'node:crypto';
import canonicalize from 'canonicalize';
import { z } from 'zod';

/** A sibling on the way from a leaf to the root, and on which side of it it stands. */
export const pathStep = z.strictObject({
  side: z.enum(['left', 'right']),
  hash: z.string().regex(/^[0-9a-f]{64}$/),
});
export type PathStep = z.infer<typeof pathStep>;

/** Prefixes distinguish a leaf from a node, so that no node passes for a row (RFC 6962, 2.1). */
const LEAF = Uint8Array.of(0);
const NODE = Uint8Array.of(1);

/** Hex sha256 of 0x00 and the canonical JSON (RFC 8785) of a row of the answer. */
export function leafOf(row: object): string {
  const json = canonicalize(row);
  if (json === undefined) throw new RangeError('a row has no JSON form');
  return createHash('sha256').update(LEAF).update(json).digest('hex');
}

/** The root over leaves in their order: pairs are hashed with 0x01 before them, an odd node moves up. */
export function rootOf(leaves: readonly string[]): string {
  let level = [...leaves];
  while (level.length > 1) level = parents(level);
  const [root] = level;
  if (root === undefined) throw new RangeError('a tree has at least one leaf');
  return root;
}

/** Siblings from the leaf at `index` up to the root. */
export function pathOf(leaves: readonly string[], index: number): PathStep[] {
  if (index < 0 || index >= leaves.length) throw new RangeError(`there is no leaf ${index}`);
  const path: PathStep[] = [];
  let level = [...leaves];
  for (let at = index; level.length > 1; at >>= 1) {
    const isRight = (at & 1) === 1;
    const hash = level[isRight ? at - 1 : at + 1];
    if (hash !== undefined) path.push({ side: isRight ? 'left' : 'right', hash });
    level = parents(level);
  }
  return path;
}

/** The root that a leaf and its path lead to. */
export function rootFromPath(leaf: string, path: readonly PathStep[]): string {
  return path.reduce(
    (hash, step) => (step.side === 'left' ? nodeOf(step.hash, hash) : nodeOf(hash, step.hash)),
    leaf,
  );
}

function parents(level: readonly string[]): string[] {
  const above: string[] = [];
  for (let at = 0; at < level.length; at += 2) {
    const [left = '', right] = level.slice(at, at + 2);
    above.push(right === undefined ? left : nodeOf(left, right));
  }
  return above;
}

function nodeOf(left: string, right: string): string {
  return createHash('sha256')
    .update(NODE)
    .update(Buffer.from(left, 'hex'))
    .update(Buffer.from(right, 'hex'))
    .digest('hex');
}
