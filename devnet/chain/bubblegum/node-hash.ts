import { hash } from '@metaplex-foundation/mpl-bubblegum';

export const NODE_BYTES = 32;

const emptyNodes: Uint8Array[] = [new Uint8Array(NODE_BYTES)];

/** The parent of two child nodes: the Keccak-256 of both. */
export function hashPair(left: Uint8Array, right: Uint8Array): Uint8Array {
  return hash([left, right]);
}

/** Root of an empty subtree of this height (0 is a leaf). */
export function emptyNode(height: number): Uint8Array {
  const known = emptyNodes[height];
  if (known) return known;
  const child = emptyNode(height - 1);
  const node = hashPair(child, child);
  emptyNodes[height] = node;
  return node;
}
