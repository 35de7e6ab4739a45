import { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Prisma } from '@/generated/prisma/client';
import { toServiceError } from '@/server/api/trpc';
import { createTestDatabase, type TestDatabase } from '@/tests/harness/create-test-database';
import { isDatabaseDown } from './is-database-down';

let database: TestDatabase;
let lock: Client;
beforeAll(async () => {
  database = await createTestDatabase();
  lock = new Client({ connectionString: database.url });
  await lock.connect();
  await lock.query('begin; lock table receipts in access exclusive mode');
});
afterAll(async () => {
  await lock.end();
  await database.close();
});

type Work = (tx: Prisma.TransactionClient) => Promise<unknown>;

/** The error of a transaction whose statement PostgreSQL ends, because the table is locked. */
const failureOf = (work: Work): Promise<unknown> =>
  database.prisma
    .$transaction(async (tx) => {
      await tx.$executeRaw`set local statement_timeout = '100ms'`;
      await work(tx);
    })
    .then(
      () => null,
      (error: unknown) => error,
    );

describe('a statement that PostgreSQL ends at its time limit', () => {
  const kinds: [string, Work][] = [
    ['reads rows of a model', (tx) => tx.receipt.findMany()],
    ['writes rows of a model', (tx) => tx.receipt.updateMany({ data: { token: 'X' } })],
    ['is raw', (tx) => tx.$queryRaw`select id from receipts`],
    ['is raw and answers nothing', (tx) => tx.$executeRaw`delete from receipts`],
  ];
  it.each(kinds)('and %s is the silence of a database', async (_, work) => {
    const failure = await failureOf(work);
    expect(isDatabaseDown(failure)).toBe(true);
    expect(toServiceError(failure)).toMatchObject({ code: 'service_unavailable', status: 503 });
  });
});

describe('no silence of a database is', () => {
  it('a statement that PostgreSQL refuses', async () => {
    const failure = await database.prisma.$queryRaw`select 57014 / 0`.catch(
      (error: unknown) => error,
    );
    expect(failure).toBeInstanceOf(Error);
    expect(isDatabaseDown(failure)).toBe(false);
  });

  it.each([null, undefined, 'P1001', new Error('57014')])('%s', (other) => {
    expect(isDatabaseDown(other)).toBe(false);
  });
});
