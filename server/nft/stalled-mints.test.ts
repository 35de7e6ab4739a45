import { describe, expect, test } from 'vitest';
import type { PrismaClient } from '@/generated/prisma/client';
import { markRedriven, mintsToRedrive } from './mint-rows';
import { addMint, addTree, later, makeChain, type TestChain } from './minting.fixture';
import { makeWorkers, withoutMints } from './workers.fixture';

let db: PrismaClient;
let world: TestChain;

withoutMints((fresh) => {
  db = fresh;
  world = makeChain();
});

const { work, mintFully } = makeWorkers(() => ({ db, world }));

describe('the sweep', () => {
  test('sees what is quiet and not final, at growing distances, each repeat once', async () => {
    await addTree(world, db);
    const [quiet, done, failed] = [await addMint(db), await addMint(db), await addMint(db)];
    await mintFully(done);
    world.finalize();
    await (await work(done)).look();
    await db.mint.update({ where: { id: failed.id }, data: { status: 'failed' } });
    expect(await mintsToRedrive(db, later(59_000), 10)).toEqual([]);
    const [stuck, ...others] = await mintsToRedrive(db, later(60_000), 10);
    expect(others).toEqual([]);
    expect(stuck?.id).toBe(quiet.id);
    if (!stuck) throw new Error('the quiet one is stuck');
    let seen = stuck;
    let now = later(60_000);
    for (const minutes of [1, 2, 4, 8, 16, 32, 60, 60]) {
      const rounds = await Promise.all([1, 2].map(() => markRedriven(db, seen, now)));
      expect(rounds.filter((round) => round !== null)).toEqual([seen.redrives + 1]);
      seen = { ...seen, redrives: seen.redrives + 1 };
      now = new Date(now.getTime() + minutes * 60_000);
      expect(await mintsToRedrive(db, new Date(now.getTime() - 1), 10)).toEqual([]);
      expect(await mintsToRedrive(db, now, 10)).toHaveLength(1);
    }
    // It moves again, so the next poll is a minute away, not an hour.
    const moved = { ...seen, updatedAt: now };
    await markRedriven(db, moved, now);
    expect(await mintsToRedrive(db, new Date(now.getTime() + 60_000), 10)).toHaveLength(1);
  });
});
