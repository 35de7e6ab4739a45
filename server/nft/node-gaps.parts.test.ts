import { describe, expect, test } from 'vitest';
import type { PrismaClient } from '@/generated/prisma/client';
import { RpcRefused, RpcUnavailable } from '@quittance/verify/chain/rpc-errors';
import { closeUndecided } from '@/server/chain/undecided-transactions';
import { trusted } from '@/server/trusted';
import {
  addMint,
  addTree,
  later,
  makeChain,
  type NodeMood,
  type TestChain,
} from './minting.fixture';
import { readLeaf } from './read-leaf';
import { makeWorkers, withoutMints } from './workers.fixture';

let db: PrismaClient;
let world: TestChain;

withoutMints((fresh) => {
  db = fresh;
});

const { work, mintFully, finish, rowOf, attemptsOf, leavesOf } = makeWorkers(() => ({ db, world }));

/** A node whose slots and accounts are current and that lost what it knew of transactions. */
const forget = (mood: NodeMood, o: { losesBlocks: boolean }) => {
  mood.blind = true;
  mood.losesBlocks = o.losesBlocks;
};
const heal = (mood: NodeMood) => {
  mood.blind = false;
  mood.losesBlocks = false;
};

/** A mint whose transaction landed long ago, before anybody looked, through as many nodes. */
async function landedUnseen(nodes: number) {
  world = makeChain(nodes);
  await addTree(world, db);
  const mint = await addMint(db);
  const worker = await work(mint);
  const signed = await worker.sign();
  if (signed.state !== 'signed') throw new Error('not signed');
  await worker.send();
  world.expire();
  return { mint, worker, signature: signed.attempt.signature };
}

describe.each([1, 2])('%i nodes, each without the statuses of processed transactions', (nodes) => {
  test('find a mint in the block that holds it, and it is not minted again', async () => {
    const { mint, worker } = await landedUnseen(nodes);
    for (const mood of world.moods) forget(mood, { losesBlocks: false });
    expect(await worker.settle()).toMatchObject({ state: 'landed' });
    for (const mood of world.moods) heal(mood);
    expect(await worker.record()).toMatchObject({ state: 'recorded' });
    expect(leavesOf(mint)).toHaveLength(1);
    expect(await attemptsOf(mint)).toHaveLength(1);
  });

  test('without its block leave it undecided: nothing is signed again, and there is one leaf once they know it', async () => {
    const { mint, worker, signature } = await landedUnseen(nodes);
    for (const mood of world.moods) forget(mood, { losesBlocks: true });
    expect(await worker.settle()).toMatchObject({ state: 'undecided' });
    expect(await worker.sign()).toMatchObject({ attempt: { number: 1 } });
    expect(await rowOf(mint)).toMatchObject({ stage: 'signed', attempts: 0, status: 'pending' });
    expect(await db.undecidedTransaction.findMany()).toMatchObject([
      { signature, kind: 'mint', subject: mint.id, closedAt: null },
    ]);
    for (const mood of world.moods) heal(mood);
    expect(await worker.settle()).toMatchObject({ state: 'landed' });
    await worker.record();
    expect(leavesOf(mint)).toHaveLength(1);
  });

  test('a completed mint that they forget before it is final is not opened again', async () => {
    world = makeChain(nodes);
    await addTree(world, db);
    const mint = await addMint(db);
    await mintFully(mint);
    for (const mood of world.moods) forget(mood, { losesBlocks: true });
    world.expire();
    const worker = await work(mint);
    expect(await worker.look()).toEqual({ state: 'not_yet' });
    expect(await rowOf(mint)).toMatchObject({ status: 'completed' });
    expect(await db.undecidedTransaction.count()).toBe(1);
    for (const mood of world.moods) heal(mood);
    expect(await worker.look()).toEqual({ state: 'closed' });
    expect(leavesOf(mint)).toHaveLength(1);
  });
});

test('do not decide an expiry when only one of them has no gap', async () => {
  world = makeChain(2);
  await addTree(world, db);
  const mint = await addMint(db);
  const worker = await work(mint);
  await worker.sign();
  world.sends.dropNext = 100;
  await worker.send();
  // Another transaction is in a block of the window, which the second node does not have.
  world.sends.dropNext = 0;
  await mintFully(await addMint(db));
  world.expire();
  const [, second] = world.moods;
  if (!second) throw new Error('there are two nodes');
  forget(second, { losesBlocks: true });
  expect(await worker.settle()).toMatchObject({ state: 'undecided' });
  heal(second);
  // A missing block of a node is remembered for a moment.
  await expect
    .poll(async () => (await worker.settle()).state, { timeout: 90_000, interval: 500 })
    .toBe('expired');
});

test('closed on record by the operator, it counts as expired and the next is signed', async () => {
  const { worker, signature } = await landedUnseen(1);
  const [mood] = world.moods;
  if (!mood) throw new Error('there is one node');
  forget(mood, { losesBlocks: true });
  expect(await worker.settle()).toMatchObject({ state: 'undecided' });
  expect(await closeUndecided(db, { signature, note: 'two explorers do not know it' })).toBe(true);
  expect(await closeUndecided(db, { signature, note: 'again' })).toBe(false);
  expect(await worker.settle()).toMatchObject({ state: 'expired', status: 'pending' });
  expect(await worker.sign()).toMatchObject({ attempt: { number: 2 } });
});

test('closed on record, it is still found where a node knows it', async () => {
  const { mint, worker, signature } = await landedUnseen(1);
  const [mood] = world.moods;
  if (!mood) throw new Error('there is one node');
  forget(mood, { losesBlocks: true });
  await worker.settle();
  await closeUndecided(db, { signature, note: 'nobody knows it' });
  heal(mood);
  await worker.release();
  await finish(mint);
  expect(leavesOf(mint)).toHaveLength(1);
  expect(await attemptsOf(mint)).toMatchObject([{ number: 1, outcome: 'landed' }]);
});

describe('a node that stands still', () => {
  const HOURS_LATER = later(2 * 3_600_000);

  /** A mint that was sent and dropped. The second node stands still from then on. */
  async function droppedBeside(nodes: number) {
    world = makeChain(nodes);
    await addTree(world, db);
    const mint = await addMint(db);
    const worker = await work(mint);
    await worker.sign();
    world.sends.dropNext = 100;
    await worker.send();
    const [, second] = world.moods;
    if (!second) throw new Error('there are two nodes');
    second.stillAt = world.chain.slot();
    world.expire();
    world.expire();
    return { mint, worker, second };
  }

  test('does not keep a mint open: it is undecided, on record, and the operator can close it', async () => {
    const { mint, worker } = await droppedBeside(2);
    expect(await worker.settle()).toMatchObject({ state: 'undecided' });
    const [row] = await db.undecidedTransaction.findMany();
    expect(row).toMatchObject({ kind: 'mint', subject: mint.id });
    await closeUndecided(db, { signature: row?.signature ?? '', note: 'nobody knows it' });
    expect(await worker.settle()).toMatchObject({ state: 'expired', status: 'pending' });
  });

  test('is outvoted by two others', async () => {
    const { worker } = await droppedBeside(3);
    expect(await worker.settle()).toMatchObject({ state: 'expired' });
    expect(await db.undecidedTransaction.count()).toBe(0);
  });

  test('does not keep a completed mint waiting for ever that it calls confirmed', async () => {
    world = makeChain(2);
    await addTree(world, db);
    const mint = await addMint(db);
    await mintFully(mint);
    for (const mood of world.moods) mood.blind = true;
    const [first] = world.moods;
    if (!first) throw new Error('there are two nodes');
    Object.assign(first, { blind: false, stillAt: world.chain.slot() });
    const [, second] = world.moods;
    if (second) second.losesBlocks = true;
    world.expire();
    world.expire();
    expect(await (await work(mint)).look()).toEqual({ state: 'not_yet' });
    expect(await db.undecidedTransaction.findMany()).toMatchObject([{ subject: mint.id }]);
  });

  test.each(['answers', 'is silent'])(
    'or %s and never decides: an attempt open for over an hour is on record and can be closed',
    async (how) => {
      world = makeChain(2);
      await addTree(world, db);
      const mint = await addMint(db);
      const worker = await work(mint);
      await worker.sign();
      const { onNode } = world.rpc;
      if (how === 'answers')
        // The address leads to another machine than the one that reported the final block.
        world.rpc.onNode = (index) => ({
          ...onNode(index),
          seeSignature: async () => ({ status: null, slot: 1n }),
        });
      else for (const mood of world.moods) mood.down = true;
      const state = how === 'answers' ? 'in_flight' : 'waiting';
      world.expire();
      expect(await worker.settle()).toMatchObject({ state });
      expect(await db.undecidedTransaction.count()).toBe(0);
      const late = await work(mint, 'the late one', HOURS_LATER);
      expect(await late.settle()).toMatchObject({ state });
      const [row] = await db.undecidedTransaction.findMany();
      expect(row).toMatchObject({ kind: 'mint', subject: mint.id });
      expect(row?.reason).toContain('open for over an hour');
      await closeUndecided(db, { signature: row?.signature ?? '', note: 'nobody knows it' });
      expect(await late.settle()).toMatchObject({ state: 'expired' });
    },
  );
});

test('a mint is closed once a second node knows it as well, and on record when none does for an hour', async () => {
  world = makeChain(2);
  await addTree(world, db);
  const mint = await addMint(db);
  await mintFully(mint);
  world.finalize();
  const [, second] = world.moods;
  if (!second) throw new Error('there are two nodes');
  for (const mood of [{ blind: true }, { down: true }]) {
    Object.assign(second, mood);
    const worker = await work(mint);
    expect(await worker.look()).toEqual({ state: 'not_yet' });
    expect(await db.undecidedTransaction.count()).toBe(0);
    Object.assign(second, { blind: false, down: false });
  }
  second.blind = true;
  const late = await work(mint, 'the late one', later(2 * 3_600_000));
  expect(await late.look()).toEqual({ state: 'not_yet' });
  expect(await db.undecidedTransaction.findMany()).toMatchObject([{ subject: mint.id }]);
  second.blind = false;
  // As confirmed, in the same block, is enough.
  second.lag = 2;
  expect(await late.look()).toEqual({ state: 'closed' });
});

test('a leaf that one node leaves out is read from the other, and else waited for', async () => {
  world = makeChain(2);
  await addTree(world, db);
  const mint = await addMint(db);
  const worker = await work(mint);
  await worker.sign();
  await worker.send();
  expect(await worker.settle()).toMatchObject({ state: 'landed' });
  const [attempt] = await attemptsOf(mint);
  if (!attempt) throw new Error('it is on record');
  const raw = await world.rpc.getTransaction(attempt.signature, 'confirmed');
  if (!raw?.meta) throw new Error('the node has it');
  const cut = { ...raw, meta: { ...raw.meta, innerInstructions: null } };
  const torn = { ...raw, transaction: { ...raw.transaction, message: null } };
  const refusing = () => Promise.reject(new RpcRefused('getTransaction', -32099, 'no', null));
  const read = (...nodes: unknown[]) =>
    readLeaf({
      mint,
      attempt,
      commitment: 'confirmed',
      rpc: trusted<TestChain['rpc']>(
        {
          nodes: nodes.length,
          onNode: (node: number) => ({
            getTransaction: async () => (nodes[node] === 'refuses' ? refusing() : nodes[node]),
          }),
        },
        'nothing else is asked',
      ),
    });
  for (const without of [cut, torn, null, 'refuses'])
    expect((await read(without, raw))?.leaf.owner).toBe(mint.owner);
  expect(await read(cut, 'refuses')).toBeNull();
  await expect(read('refuses', 'refuses')).rejects.toThrow(RpcUnavailable);
  // The worker waits for it too, and completes the mint when it is shown.
  const { onNode } = world.rpc;
  world.rpc.onNode = (index) => ({
    ...onNode(index),
    getTransaction: async () => trusted(cut, 'as a node may give it'),
  });
  expect(await worker.record()).toMatchObject({ state: 'waiting' });
  world.rpc.onNode = onNode;
  expect(await worker.record()).toMatchObject({ state: 'recorded' });
});

test('a mint can land until the end of the margin, and is looked for from long before', async () => {
  world = makeChain(1);
  await addTree(world, db);
  const mint = await addMint(db);
  const worker = await work(mint);
  const { lastValidBlockHeight } = await world.rpc.getLatestBlockhash();
  await worker.sign();
  expect(await attemptsOf(mint)).toMatchObject([
    { lastValidBlockHeight: lastValidBlockHeight + 64n },
  ]);
});
