import { describe, expect, test } from 'vitest';
import type { PrismaClient } from '@/generated/prisma/client';
import { addMint, addTree, makeChain, type TestChain } from './minting.fixture';
import { makeWorkers, withoutMints } from './workers.fixture';

let db: PrismaClient;
let world: TestChain;

withoutMints((fresh) => {
  db = fresh;
  world = makeChain();
});

const { work, mintFully, rowOf, attemptsOf, leavesOf } = makeWorkers(() => ({ db, world }));

describe('a mint that vanishes before it is final', () => {
  test('is opened again once it can no longer land, and minted again: one leaf', async () => {
    await addTree(world, db);
    const mint = await addMint(db);
    await mintFully(mint);
    const { mintSignature } = await rowOf(mint);
    world.sends.dropNext = 100;
    expect(world.vanish(mintSignature ?? '')).toBe(true);
    const worker = await work(mint);
    expect(await worker.look()).toEqual({ state: 'not_yet' });
    expect(await rowOf(mint)).toMatchObject({ status: 'completed' });
    world.expire();
    expect(await worker.look()).toEqual({ state: 'reopened' });
    expect(await rowOf(mint)).toMatchObject({
      status: 'pending',
      stage: 'metadata_stored',
      attempts: 0,
      mintSignature: null,
      assetId: null,
    });
    expect((await rowOf(mint)).lastError).toContain(mintSignature);
    world.sends.dropNext = 0;
    await mintFully(mint);
    world.finalize();
    expect(await (await work(mint)).look()).toEqual({ state: 'closed' });
    expect(leavesOf(mint)).toHaveLength(1);
  });

  test('comes back with the same bytes while they are good, without a second signature', async () => {
    await addTree(world, db);
    const mint = await addMint(db);
    await mintFully(mint);
    world.vanish((await rowOf(mint)).mintSignature ?? '');
    const worker = await work(mint);
    expect(await worker.look()).toEqual({ state: 'not_yet' });
    world.finalize();
    expect(await worker.look()).toEqual({ state: 'closed' });
    expect(leavesOf(mint)).toHaveLength(1);
    expect(await attemptsOf(mint)).toHaveLength(1);
  });

  test('before its leaf was read: it is opened again all the same', async () => {
    await addTree(world, db);
    const mint = await addMint(db);
    const worker = await work(mint);
    const signed = await worker.sign();
    await worker.send();
    await worker.settle();
    world.vanish(signed.state === 'signed' ? signed.attempt.signature : '');
    expect(await worker.record()).toMatchObject({ state: 'waiting' });
    world.expire();
    expect(await worker.record()).toEqual({ state: 'reopened' });
    expect(await mintFully(mint)).toMatchObject({ state: 'recorded' });
    expect(leavesOf(mint)).toHaveLength(1);
  });

  test('the others of its tree move up, and their rows follow once final', async () => {
    await addTree(world, db);
    const [gone, stays] = [await addMint(db), await addMint(db)];
    await mintFully(gone);
    await mintFully(stays);
    expect(await rowOf(stays)).toMatchObject({ leafIndex: 1n });
    world.vanish((await rowOf(gone)).mintSignature ?? '');
    world.finalize();
    expect(await (await work(stays)).look()).toEqual({ state: 'closed' });
    const [leaf] = leavesOf(stays);
    expect(leaf?.leafIndex).toBe(0n);
    expect(await rowOf(stays)).toMatchObject({ leafIndex: 0n, assetId: leaf?.assetId });
  });
});
