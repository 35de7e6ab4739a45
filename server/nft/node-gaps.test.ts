import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { PrismaClient } from '@/generated/prisma/client';
import { closeUndecided } from '@/server/chain/undecided';
import { createTestDatabase, type TestDatabase } from '@/tests/harness/create-test-database';
import { addMint, addTree, makeChain, type NodeMood, type TestChain } from './minting.fixture';
import { makeWorkers } from './workers.fixture';

let database: TestDatabase;
let db: PrismaClient;
let world: TestChain;

beforeAll(async () => {
  database = await createTestDatabase();
  db = database.prisma;
});
afterAll(() => database.close());
beforeEach(async () => {
  await db.mintAttempt.deleteMany();
  await db.mint.deleteMany();
  await db.tree.deleteMany();
  await db.undecidedTransaction.deleteMany();
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

describe.each([1, 2])('of %i nodes, each without the statuses of what it processed', (nodes) => {
  test('a mint is found in the block that holds it, and not minted again', async () => {
    const { mint, worker } = await landedUnseen(nodes);
    for (const mood of world.moods) forget(mood, { losesBlocks: false });
    expect(await worker.settle()).toMatchObject({ state: 'landed' });
    for (const mood of world.moods) heal(mood);
    expect(await worker.record()).toMatchObject({ state: 'recorded' });
    expect(leavesOf(mint)).toHaveLength(1);
    expect(await attemptsOf(mint)).toHaveLength(1);
  });

  test('and without its block: undecided, nothing signed anew, and one leaf once they know again', async () => {
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

test('one whole node beside one with a gap does not decide an expiry', async () => {
  world = makeChain(2);
  await addTree(world, db);
  const mint = await addMint(db);
  const worker = await work(mint);
  await worker.sign();
  world.sends.dropNext = 100;
  await worker.send();
  // Something else is in a block of the window, which the second node does not have.
  world.sends.dropNext = 0;
  await mintFully(await addMint(db));
  world.expire();
  const [, second] = world.moods;
  if (!second) throw new Error('there are two nodes');
  forget(second, { losesBlocks: true });
  expect(await worker.settle()).toMatchObject({ state: 'undecided' });
  heal(second);
  // That a node has no block is kept for a moment.
  await expect
    .poll(async () => (await worker.settle()).state, { timeout: 10_000, interval: 500 })
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
