import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { PrismaClient } from '@/generated/prisma/client';
import { addMint, later } from '@/server/nft/minting.fixture';
import { createTestDatabase, type TestDatabase } from '@/tests/harness/create-test-database';
import { redriveMints } from './sweep-mints';

const MINUTE_MS = 60_000;

let database: TestDatabase;
let db: PrismaClient;

beforeAll(async () => {
  database = await createTestDatabase();
  db = database.prisma;
});
afterAll(() => database.close());
beforeEach(() => db.mint.deleteMany());

/** A sweep so many minutes after the mint was made. */
const sweep = (minutes: number, send: (id: string, round: number) => Promise<boolean>) =>
  redriveMints(
    { db, clock: { now: () => later(minutes * MINUTE_MS) } },
    ({ id }: { id: string }, round: number) => send(id, round),
  );

describe('the sweep of stalled mints', () => {
  test('tries again with the next sweep while the job server refuses the event', async () => {
    const mint = await addMint(db);
    const rounds: number[] = [];
    for (const minutes of [1, 2, 3, 10, 59, 60])
      expect(
        await sweep(minutes, async (_, round) => {
          rounds.push(round);
          return false;
        }),
      ).toEqual({ stuck: 1, sent: 0 });
    // The same event each time: one that was taken although its answer was lost starts no second run.
    expect(rounds).toEqual([1, 1, 1, 1, 1, 1]);

    const took: string[] = [];
    const take = async (id: string, round: number) => took.push(`${id}:${round}`) > 0;
    expect(await sweep(61, take)).toEqual({ stuck: 1, sent: 1 });
    // Only what was taken waits.
    expect(await sweep(62, take)).toEqual({ stuck: 0, sent: 0 });
    expect(took).toEqual([`${mint.id}:1`]);
  });

  test('bothers a job server that refuses with three events, and one refused event holds up no other', async () => {
    const mints = [await addMint(db), await addMint(db), await addMint(db)];
    mints.push(await addMint(db), await addMint(db));
    const asked: string[] = [];
    const refuse = async (id: string) => asked.push(id) < 0;
    expect(await sweep(1, refuse)).toEqual({ stuck: 5, sent: 0 });
    expect(asked).toHaveLength(3);
    const first = asked[0];
    expect(await sweep(2, async (id) => id !== first)).toEqual({ stuck: 5, sent: 4 });
    expect(await sweep(2, async () => true)).toEqual({ stuck: 1, sent: 1 });
  });

  test('leaves the mint to the next one when it dies before its event is sent', async () => {
    await addMint(db);
    await db.mint.updateMany({ data: { updatedAt: later(-40 * MINUTE_MS) } });
    const dies = sweep(1, () => Promise.reject(new Error('the process ended')));
    await expect(dies).rejects.toThrow('the process ended');
    expect(await sweep(2, async () => true)).toEqual({ stuck: 1, sent: 1 });
  });

  test('leaves its time to a mint that the run moves before the sweep goes on', async () => {
    const mint = await addMint(db);
    const quiet = later(180 * MINUTE_MS);
    const moved = later(181 * MINUTE_MS);
    const runs = async (): Promise<boolean> => {
      await db.mint.update({
        where: { id: mint.id },
        data: { updatedAt: quiet, redriveAt: moved },
      });
      return true;
    };
    expect(await sweep(180, runs)).toEqual({ stuck: 1, sent: 1 });
    const { redriveAt, redrives } = await db.mint.findUniqueOrThrow({ where: { id: mint.id } });
    expect({ redriveAt, redrives }).toEqual({ redriveAt: moved, redrives: 1 });
  });

  test('two at once send one event and count one repeat', async () => {
    const mint = await addMint(db);
    const took = new Set<string>();
    const take = async (id: string, round: number) => took.add(`${id}:${round}`).size > 0;
    const sweeps = await Promise.all([sweep(1, take), sweep(1, take)]);
    expect(sweeps.reduce((sum, { sent }) => sum + sent, 0)).toBe(1);
    expect([...took]).toEqual([`${mint.id}:1`]);
    expect((await db.mint.findUniqueOrThrow({ where: { id: mint.id } })).redrives).toBe(1);
  });
});
