import { createHash } from 'node:crypto';
import bs58 from 'bs58';
import { dataOf, readInstructions, readLeafLogs, type Leaf } from './leaf';
import { COMPRESSION_PROGRAM, NOOP_PROGRAM } from './programs';

/** One change of a tree, from the log of its program. Hashes are base58. */
export type TreeChange = {
  /** Number of the change in its tree, counted without a gap. */
  sequence: bigint;
  leafIndex: bigint;
  /** The new hash of the leaf; {@link EMPTY_LEAF} for a burnt one. */
  leaf: string;
  root: string;
};

/** The hash of a leaf that is not there: 32 zero bytes. */
export const EMPTY_LEAF = bs58.encode(new Uint8Array(32));

/**
 * Anchor's tags of the instructions of the compression program that change a tree, each of which calls the noop
 * program itself. The others log nothing, and anyone may call `verify_leaf`: a log that follows it is made up.
 */
const CHANGING_TAGS: ReadonlySet<string> = new Set(
  [
    'init_empty_merkle_tree',
    'init_prepared_tree_with_root',
    'append',
    'replace_leaf',
    'insert_or_append',
  ].map((name) => createHash('sha256').update(`global:${name}`).digest('hex').slice(0, 16)),
);

/**
 * Changes of a tree by a transaction, in order, from a `getTransaction` result in `json` encoding.
 * Only the log of the compression program counts: the call of the noop program that follows its own
 * change. Anyone can log anything there. Throws ZodError when the result is not of that form.
 */
export function readTreeChanges(rawTransaction: unknown, tree: string): TreeChange[] {
  return readInstructions(rawTransaction).flatMap((calls) =>
    calls.flatMap((call, at) => {
      const before = calls[at - 1];
      const isOurs =
        call.program === NOOP_PROGRAM &&
        before?.program === COMPRESSION_PROGRAM &&
        before.accounts[0] === tree &&
        CHANGING_TAGS.has(dataOf(before).subarray(0, 8).toString('hex'));
      const change = isOurs ? readChange(dataOf(call), tree) : null;
      return change ? [change] : [];
    }),
  );
}

/** Leaves that a transaction logged, with their hashes. A matching hash cannot be made up. */
export function readLoggedLeaves(rawTransaction: unknown): { leaf: Leaf; hash: string }[] {
  const calls = readInstructions(rawTransaction).flat();
  return readLeafLogs(calls).map(({ leaf, computed }) => ({ leaf, hash: computed }));
}

/** `ChangeLog(V1(tree, path of (node, index u32) from leaf to root, sequence u64, leaf index u32))`, in borsh. */
const HEAD_BYTES = 34;
const NODE_BYTES = 36;
const TAIL_BYTES = 12;
const DEEPEST = 30;

function readChange(data: Buffer, tree: string): TreeChange | null {
  const isLog = data.length >= HEAD_BYTES + 4 && data[0] === 0 && data[1] === 0;
  if (!isLog || bs58.encode(data.subarray(2, HEAD_BYTES)) !== tree) return null;
  const nodes = data.readUInt32LE(HEAD_BYTES);
  const path = HEAD_BYTES + 4;
  const end = path + nodes * NODE_BYTES;
  if (nodes < 2 || nodes > DEEPEST + 1 || data.length !== end + TAIL_BYTES) return null;
  const node = (at: number) => {
    const start = path + at * NODE_BYTES;
    return bs58.encode(data.subarray(start, start + 32));
  };
  return {
    leaf: node(0),
    root: node(nodes - 1),
    sequence: data.readBigUInt64LE(end),
    leafIndex: BigInt(data.readUInt32LE(end + 8)),
  };
}
