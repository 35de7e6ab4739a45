import { Pool } from 'pg';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { createTestDatabase, type TestDatabase } from '@/tests/harness/create-test-database';
import { forgetOldCounts, holdInPostgres, takeInPostgres } from './limit-store';

const WINDOW_MS = 60_000;
const HOUR_MS = 3_600_000;

let database: TestDatabase;
let pool: Pool;
beforeAll(async () => {
  database = await createTestDatabase();
  pool = new Pool({ connectionString: database.url, max: 4 });
});
afterAll(async () => {
  await pool.end();
  await database.close();
});
afterEach(() => vi.useRealTimers());

const take = (key: string, points = 1) =>
  takeInPostgres(pool, { key, points, windowMs: WINDOW_MS });
const endWindow = (key: string) =>
  database.prisma.$executeRaw`update rate_limits set expire = expire - 60000 where key = ${key}`;

describe('limits that are counted in PostgreSQL', () => {
  it('add up in a window, and start again after it', async () => {
    expect((await take('a')).consumedPoints).toBe(1);
    expect((await take('a', 3)).consumedPoints).toBe(4);
    expect((await take('b')).consumedPoints).toBe(1);
    await endWindow('a');
    const { consumedPoints, msBeforeNext } = await take('a');
    expect(consumedPoints).toBe(1);
    expect(msBeforeNext).toBeGreaterThan(WINDOW_MS - 30_000);
    expect(msBeforeNext).toBeLessThanOrEqual(WINDOW_MS);
  });

  it('lose no point of requests at once', async () => {
    await Promise.all(Array.from({ length: 20 }, () => take('crowd')));
    expect((await take('crowd', 0)).consumedPoints).toBe(20);
  });

  it.each([
    ['an hour ahead', HOUR_MS],
    ['two days behind', -48 * HOUR_MS],
  ])('end at the same moment for a process whose clock is %s', async (name, aheadMs) => {
    const truth = Date.now();
    const inWrongProcess = async <T>(work: () => Promise<T>): Promise<T> => {
      vi.useFakeTimers({ toFake: ['Date'], now: truth + aheadMs });
      return work().finally(() => vi.useRealTimers());
    };
    // A window that the wrong process opened has its length for the others.
    const opened = await inWrongProcess(() => take(name));
    expect(opened.msBeforeNext).toBeLessThanOrEqual(WINDOW_MS);
    expect(opened.msBeforeNext).toBeGreaterThan(WINDOW_MS - 30_000);
    expect((await take(name)).consumedPoints).toBe(2);
    // A window that the others opened neither ends early for it nor lasts longer.
    expect((await inWrongProcess(() => take(name))).consumedPoints).toBe(3);
    await endWindow(name);
    expect((await inWrongProcess(() => take(name))).consumedPoints).toBe(1);
    // It deletes no count that still stands.
    await inWrongProcess(() => forgetOldCounts(pool));
    expect((await take(name)).consumedPoints).toBe(2);
  });

  it('keep a key above its limit for the given time', async () => {
    await take('debt');
    const held = await holdInPostgres(pool, { key: 'debt', points: 9, forMs: 120_000 });
    expect(held.consumedPoints).toBe(9);
    expect(held.msBeforeNext).toBeGreaterThan(110_000);
    expect((await take('debt')).consumedPoints).toBe(10);
  });

  it('are deleted an hour after their window', async () => {
    await take('old');
    await take('new');
    await database.prisma
      .$executeRaw`update rate_limits set expire = expire - 3700000 where key = 'old'`;
    await forgetOldCounts(pool);
    const left = await database.prisma.rateLimit.findMany({
      where: { key: { in: ['old', 'new'] } },
    });
    expect(left.map(({ key }) => key)).toEqual(['new']);
  });
});
