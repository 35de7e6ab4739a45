import { expect, test } from 'vitest';
import type { PrismaClient } from '@/generated/prisma/client';
import { countSecondNfts } from '@/server/admin/list-mints';
import { RpcUnavailable } from '@quittance/verify/chain/rpc-errors';
import { closeUndecided } from '@/server/chain/undecided-transactions';
import { trusted } from '@/server/trusted';
import { expiredAttempts, landedAfterAll, recordLateLanding } from './look-again';
import { addMint, addTree, later, makeChain, START, type TestChain } from './minting.fixture';
import { makeWorkers, withoutMints } from './workers.fixture';

let db: PrismaClient;
let world: TestChain;

withoutMints((fresh) => {
  db = fresh;
  world = makeChain();
});

const { work, rowOf, attemptsOf, leavesOf } = makeWorkers(() => ({ db, world }));

/** A mint that landed while the node had lost it, and that the operator closed on record. */
async function closedTooSoon() {
  await addTree(world, db);
  const mint = await addMint(db);
  const worker = await work(mint);
  const signed = await worker.sign();
  if (signed.state !== 'signed') throw new Error('not signed');
  await worker.send();
  world.expire();
  const [mood] = world.moods;
  if (!mood) throw new Error('there is one node');
  Object.assign(mood, { blind: true, losesBlocks: true });
  await worker.settle();
  await closeUndecided(db, { signature: signed.attempt.signature, note: 'nobody knows it' });
  expect(await worker.settle()).toMatchObject({ state: 'expired' });
  return {
    mint,
    worker,
    mood,
    heal: () => Object.assign(mood, { blind: false, losesBlocks: false }),
  };
}

const lookedAt = async () =>
  (
    await landedAfterAll(
      world.rpc,
      await expiredAttempts(db, { since: START, after: 0n, limit: 10 }),
    )
  ).landed;

test('an expired transaction that landed after all gives the mint’s NFT, and its leaf is recorded', async () => {
  const { mint, worker, heal } = await closedTooSoon();
  expect(await lookedAt()).toEqual([]);
  heal();
  const [attempt] = await lookedAt();
  if (!attempt) throw new Error('it is to be found');
  const shared = { db, attempt, now: later(1_000) };
  expect(await recordLateLanding({ ...shared, fence: worker.fence - 1n })).toBe('lost_lease');
  expect(await recordLateLanding({ ...shared, fence: worker.fence })).toBe('recorded');
  expect(await worker.record()).toMatchObject({ state: 'recorded' });
  expect(await rowOf(mint)).toMatchObject({
    status: 'completed',
    mintSignature: attempt.signature,
  });
  expect(leavesOf(mint)).toHaveLength(1);
});

test('before another is signed, expired ones are checked once more', async () => {
  const { mint, worker, heal } = await closedTooSoon();
  heal();
  expect(await worker.sign()).toEqual({ state: 'landed' });
  expect(await attemptsOf(mint)).toMatchObject([{ number: 1, outcome: 'landed' }]);
  expect(await worker.record()).toMatchObject({ state: 'recorded' });
  expect(leavesOf(mint)).toHaveLength(1);
});

test('one that counted as failed is checked as well, and a landing on one node waits for a second node', async () => {
  const { mint, worker, heal } = await closedTooSoon();
  await db.mintAttempt.updateMany({ data: { outcome: 'failed' } });
  heal();
  const [attempt] = await lookedAt();
  if (!attempt) throw new Error('it is to be found');
  const lying = trusted<TestChain['rpc']>(
    {
      nodes: 2,
      onNode: (node: number) => ({
        getSignatureStatuses: async () => [
          { slot: 5n, err: node === 0 ? 'Custom' : null, confirmationStatus: 'finalized' },
        ],
      }),
    },
    'nothing else is asked',
  );
  expect(await landedAfterAll(lying, [attempt])).toEqual({ landed: [], unwitnessed: [attempt] });
  expect(await worker.sign()).toEqual({ state: 'landed' });
  expect(await attemptsOf(mint)).toMatchObject([{ number: 1, outcome: 'landed' }]);
});

test('a mint that was restored from the chain keeps its NFT, and the late one is a second', async () => {
  const { mint, worker, heal } = await closedTooSoon();
  heal();
  const [attempt] = await lookedAt();
  if (!attempt) throw new Error('it is to be found');
  const restored = {
    status: 'completed',
    stage: 'closed',
    mintSignature: 'of the restored one',
  } as const;
  await db.mint.update({ where: { id: mint.id }, data: restored });
  const { fence } = worker;
  expect(await recordLateLanding({ db, attempt, fence, now: later(1_000) })).toBe('duplicate');
  expect(await rowOf(mint)).toMatchObject(restored);
  expect(await attemptsOf(mint)).toMatchObject([{ number: 1, outcome: 'duplicate' }]);
});

test('a second NFT is noted as such, once the other transaction is settled', async () => {
  const { mint, worker, mood, heal } = await closedTooSoon();
  const second = await worker.sign();
  if (second.state !== 'signed') throw new Error('not signed');
  heal();
  const [attempt] = await lookedAt();
  if (!attempt) throw new Error('it is to be found');
  const late = () => recordLateLanding({ db, attempt, fence: worker.fence, now: later(1_000) });
  expect(await late()).toBe('later');
  await worker.send();
  expect(await worker.settle()).toMatchObject({ state: 'landed' });
  await worker.record();
  expect(await late()).toBe('duplicate');
  expect(mood.blind).toBe(false);
  expect(leavesOf(mint)).toHaveLength(2);
  expect(await countSecondNfts(db)).toBe(1);
  expect(await attemptsOf(mint)).toMatchObject([{ outcome: 'duplicate' }, { outcome: 'landed' }]);
  expect(await rowOf(mint)).toMatchObject({ mintSignature: second.attempt.signature });
});

test('two of three nodes decide beside a dead one, and one of two does not', async () => {
  const { mood, heal } = await closedTooSoon();
  const attempts = await expiredAttempts(db, { since: START, after: 0n, limit: 10 });
  const final = { slot: 5n, err: null, confirmationStatus: 'finalized' };
  const over = (...views: (object | null | 'down')[]) =>
    trusted<TestChain['rpc']>(
      {
        nodes: views.length,
        onNode: (node: number) => ({
          getSignatureStatuses: async () => {
            if (views[node] === 'down') throw new RpcUnavailable('it is down');
            return [views[node]];
          },
        }),
      },
      'nothing else is asked',
    );
  expect(await landedAfterAll(over(null, 'down', null), attempts)).toMatchObject({ landed: [] });
  expect((await landedAfterAll(over(final, 'down', final), attempts)).landed).toHaveLength(1);
  const elsewhere = { ...final, slot: 6n };
  expect(await landedAfterAll(over(final, 'down', elsewhere), attempts)).toMatchObject({
    landed: [],
    unwitnessed: attempts,
  });
  await expect(landedAfterAll(over(null, 'down'), attempts)).rejects.toThrow(RpcUnavailable);
  heal();
  expect(mood.blind).toBe(false);
});
