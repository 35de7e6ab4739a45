import { afterAll, beforeAll, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '@/tests/harness/create-test-database';
import { repeatTransaction } from './repeat-transaction';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.close());

it('of two transactions in a deadlock of raw queries, the one that PostgreSQL ends runs again', async () => {
  const { prisma } = database;
  let runs = 0;
  let waiting = 0;
  const locking = (first: number, second: number) =>
    repeatTransaction(prisma, async (tx) => {
      runs += 1;
      await tx.$executeRaw`set local deadlock_timeout = '100ms'`;
      await tx.$executeRaw`select pg_advisory_xact_lock(${first}::bigint)`;
      waiting += 1;
      await expect.poll(() => waiting).toBeGreaterThanOrEqual(2);
      await tx.$executeRaw`select pg_advisory_xact_lock(${second}::bigint)`;
      return first;
    });
  expect(await Promise.all([locking(1, 2), locking(2, 1)])).toEqual([1, 2]);
  expect(runs).toBe(3);
});

it.each(['40P01', '40001'])(
  'a raw query that ends with %s is repeated three times, then thrown',
  async (code) => {
    let runs = 0;
    const raised = repeatTransaction(database.prisma, async (tx) => {
      runs += 1;
      await tx.$executeRawUnsafe(
        `do $$ begin raise exception 'gave way' using errcode = '${code}'; end $$`,
      );
    });
    await expect(raised).rejects.toThrow(code);
    expect(runs).toBe(4);
  },
);

it('any other error of a raw query is thrown at once', async () => {
  let runs = 0;
  const raised = repeatTransaction(database.prisma, async (tx) => {
    runs += 1;
    await tx.$executeRaw`select 1 / 0`;
  });
  await expect(raised).rejects.toThrow('division by zero');
  expect(runs).toBe(1);
});
