import { readFileSync } from 'node:fs';
import { getMerkleProofAtIndex, getMerkleRoot } from '@metaplex-foundation/mpl-bubblegum';
import { publicKey } from '@metaplex-foundation/umi';
import { VersionedTransaction } from '@solana/web3.js';
import bs58 from 'bs58';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import {
  creatorHashOf,
  collectionHashOf,
  dataHashOf,
  decodeLeafEvents,
  leafHash,
  mintMetadataArgs,
  readTreeRoots,
  rootFromProof,
} from './leaf';
import { BUBBLEGUM_PROGRAM } from './programs';

/** Transactions of the real programs, run by a test validator. */
const FILE = 'tests/vectors/bubblegum-v2.json';

const vectors = z.object({
  steps: z.array(
    z.object({
      name: z.string(),
      wire: z.string(),
      err: z.unknown(),
      returnData: z.object({ data: z.tuple([z.string(), z.string()]) }).nullable(),
      inner: z.array(
        z.object({
          index: z.number(),
          instructions: z.array(
            z.object({ programId: z.string(), accounts: z.array(z.string()), data: z.string() }),
          ),
        }),
      ),
    }),
  ),
});
type Step = z.infer<typeof vectors>['steps'][number];

/** A recorded step in the form `getTransaction` gives it. */
function asTransaction(step: Step) {
  const { message } = VersionedTransaction.deserialize(Buffer.from(step.wire, 'base64'));
  const accountKeys = message.staticAccountKeys.map((key) => key.toBase58());
  const at = (address: string) => {
    if (!accountKeys.includes(address)) accountKeys.push(address);
    return accountKeys.indexOf(address);
  };
  const innerInstructions = step.inner.map(({ index, instructions }) => ({
    index,
    instructions: instructions.map((one) => ({
      programIdIndex: at(one.programId),
      accounts: one.accounts.map(at),
      data: bs58.encode(Buffer.from(one.data, 'hex')),
    })),
  }));
  return {
    transaction: {
      message: {
        accountKeys,
        instructions: message.compiledInstructions.map((one) => ({
          programIdIndex: one.programIdIndex,
          accounts: [...one.accountKeyIndexes],
          data: bs58.encode(one.data),
        })),
      },
    },
    meta: { err: step.err, innerInstructions },
  };
}

/**
 * The change of a tree by a recorded step: ChangeLog(V1(tree, path from leaf to root, sequence,
 * leaf index)).
 */
function loggedChanges(step: Step, tree: string): { root: string; leafIndex: bigint }[] {
  return step.inner
    .flatMap(({ instructions }) => instructions.map(({ data }) => Buffer.from(data, 'hex')))
    .filter((log) => log[0] === 0 && log[1] === 0 && bs58.encode(log.subarray(2, 34)) === tree)
    .map((log) => ({
      root: bs58.encode(log.subarray(-48, -16)),
      leafIndex: BigInt(log.readUInt32LE(log.length - 4)),
    }));
}

describe('leaves of recorded transactions of the real programs', () => {
  const { steps } = vectors.parse(JSON.parse(readFileSync(FILE, 'utf8')));
  const minted = steps.flatMap((step) =>
    decodeLeafEvents(asTransaction(step)).map((event) => ({ step, event })),
  );

  test('every mint that succeeded gives its leaf and nothing else does', () => {
    const mints = steps.filter((step) => step.err === null && !/^createTree|^set/.test(step.name));
    const expected = mints.map((step) => (step.name === 'mint two in one' ? 2 : 1));
    expect(minted).toHaveLength(expected.reduce((sum, count) => sum + count, 0));
    expect(minted.length).toBeGreaterThan(90);
  });

  test('the leaf is the one the program returned', () => {
    const returned = minted.filter(
      ({ step }) => step.returnData && step.name !== 'mint two in one',
    );
    expect(returned.length).toBeGreaterThan(90);
    for (const { step, event } of returned) {
      const bytes = Buffer.from(step.returnData?.data[0] ?? '', 'base64');
      expect(bs58.encode(bytes.subarray(1, 33))).toBe(event.assetId);
      expect(bs58.encode(bytes.subarray(33, 65))).toBe(event.owner);
      expect(bytes.readBigUInt64LE(97)).toBe(event.leafIndex);
      expect(bs58.encode(bytes.subarray(105, 137))).toBe(event.dataHash);
    }
  });

  test('the index of the leaf is the one that the tree logged', () => {
    for (const { step, event } of minted) {
      const logged = loggedChanges(step, event.tree).map(({ leafIndex }) => leafIndex);
      expect(logged).toContain(event.leafIndex);
      expect(logged).toHaveLength(step.name === 'mint two in one' ? 2 : 1);
    }
  });

  test('hashes computed from the metadata of the instruction equal those in the leaf', () => {
    for (const { event } of minted) {
      expect(dataHashOf(event.metadata)).toBe(event.dataHash);
      expect(creatorHashOf(event.metadata.creators)).toBe(event.creatorHash);
      expect(collectionHashOf(event.collection)).toBe(event.collectionHash);
      expect(leafHash(event)).toBe(event.hash);
    }
  });

  test('a proof of each leaf leads to the root that the program logged', () => {
    const tree = minted[0]?.event.tree;
    const ofTree = minted.filter(({ event }) => event.tree === tree);
    const leaves = ofTree.map(({ event }) => event);
    const hashes = leaves.map((event) => publicKey(event.hash));
    const last = ofTree.at(-1);
    const root = (last && loggedChanges(last.step, last.event.tree).at(-1)?.root) ?? '';
    expect(getMerkleRoot(hashes, 3).toString()).toBe(root);
    for (const event of leaves) {
      const proof = getMerkleProofAtIndex(hashes, 3, Number(event.leafIndex)).map(String);
      expect(rootFromProof(event.hash, proof, event.leafIndex)).toBe(root);
      expect(rootFromProof(event.hash, proof, event.leafIndex ^ 1n)).not.toBe(root);
    }
  });

  test('a leaf whose log was changed is not believed', () => {
    const step = steps.find((one) => one.name === 'mint A0');
    const log = step?.inner[0]?.instructions[0];
    if (!step || !log) throw new Error('mint A0 is missing');
    const owner = Buffer.from(log.data, 'hex').subarray(41, 73).toString('hex');
    const forged: Step = {
      ...step,
      inner: step.inner.map((group) => ({
        ...group,
        instructions: group.instructions.map((one) => ({
          ...one,
          data: one === log ? one.data.replace(owner, '11'.repeat(32)) : one.data,
        })),
      })),
    };
    expect(decodeLeafEvents(asTransaction(step))).toHaveLength(1);
    expect(decodeLeafEvents(asTransaction(forged))).toEqual([]);
  });
});

test('a leaf that was appended to another tree is not believed', () => {
  const { steps } = vectors.parse(JSON.parse(readFileSync(FILE, 'utf8')));
  const step = steps.find((one) => one.name === 'mint A0');
  if (!step) throw new Error('mint A0 is missing');
  const [event] = decodeLeafEvents(asTransaction(step));
  const inner = step.inner.map((group) => ({
    ...group,
    instructions: group.instructions.map((one) => ({
      ...one,
      accounts: one.accounts.map((key) => (key === event?.tree ? event.owner : key)),
    })),
  }));
  expect(event?.tree).toBeTruthy();
  expect(decodeLeafEvents(asTransaction({ ...step, inner }))).toEqual([]);
});

test('the same calls below a program that is not Bubblegum are not believed', () => {
  const { steps } = vectors.parse(JSON.parse(readFileSync(FILE, 'utf8')));
  const step = steps.find((one) => one.name === 'mint A0');
  if (!step) throw new Error('mint A0 is missing');
  const real = asTransaction(step);
  const { message } = real.transaction;
  const impostor = message.accountKeys.map((key) =>
    key === BUBBLEGUM_PROGRAM ? 'Impostor1111111111111111111111111111111111' : key,
  );
  const forged = { ...real, transaction: { message: { ...message, accountKeys: impostor } } };
  expect(decodeLeafEvents(real)).toHaveLength(1);
  expect(decodeLeafEvents(forged)).toEqual([]);
});

test('a leaf log sent straight to the noop program is not believed', () => {
  const transaction = {
    transaction: {
      message: {
        accountKeys: ['A', 'mnoopTCrg4p8ry25e4bcWA9XZjbNjMTfgYVGGEdRsf3'],
        instructions: [
          { programIdIndex: 1, accounts: [], data: bs58.encode(Buffer.alloc(274, 1)) },
        ],
      },
    },
    meta: { err: null, innerInstructions: [] },
  };
  expect(decodeLeafEvents(transaction)).toEqual([]);
});

test('the metadata of an NFT is immutable, without royalty, with one verified creator', () => {
  const creator = '11111111111111111111111111111112';
  const args = mintMetadataArgs({ name: 'Receipt', uri: 'http://x/1', creator, collection: null });
  expect(args).toMatchObject({
    isMutable: false,
    sellerFeeBasisPoints: 0,
    symbol: 'RCPT',
    tokenStandard: 0,
    creators: [{ address: creator, verified: true, share: 100 }],
  });
});

test('bytes that are no tree give no roots', () => {
  expect(readTreeRoots(new Uint8Array(10))).toBeNull();
  expect(readTreeRoots(new Uint8Array(2000))).toBeNull();
});
