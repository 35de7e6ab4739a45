import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Client, Pool } from 'pg';
import type { PrismaClient } from '@/generated/prisma/client';
import { migrate } from '@/prisma/migrate';
import { createTestDatabase, type TestDatabase } from '@/tests/harness/create-test-database';
import { hasPgBouncer, startPgBouncer } from '@/tests/harness/pgbouncer';
import { startPoolerDouble } from '@/tests/harness/pooler-double';
import { boundStatements, openClient } from './client';

const DIR = 'prisma/migrations';
const POOLERS = [
  { name: 'a pooler that refuses and shares as PgBouncer 1.21 does', start: startPoolerDouble },
  ...(hasPgBouncer() || process.env.CI ? [{ name: 'PgBouncer', start: startPgBouncer }] : []),
];

describe.each(POOLERS)('behind $name', ({ start }) => {
  let empty: TestDatabase;
  let pooler: Awaited<ReturnType<typeof start>>;
  let client: PrismaClient | undefined;
  beforeAll(async () => {
    empty = await createTestDatabase({ empty: true });
    pooler = await start({ databaseUrl: empty.url, size: 3 });
  });
  afterAll(async () => {
    await client?.$disconnect();
    await pooler.close();
    await empty.close();
  });

  it('starts at the same time migrate once, and none leaves a lock behind', async () => {
    const databaseUrl = pooler.url(empty.url);
    const applied = await Promise.all([1, 2, 3].map(() => migrate({ databaseUrl, dir: DIR })));
    const names = applied.flat();
    expect(names.length).toBeGreaterThan(10);
    expect(new Set(names).size).toBe(names.length);
    // The next start, on whatever connection.
    for (let again = 0; again < 4; again += 1)
      expect(await migrate({ databaseUrl, dir: DIR })).toEqual([]);
    expect(await locksOf(empty.url)).toBe(0);
  });

  it('statements that come again and transactions do what they do without it', async () => {
    const url = new URL(pooler.url(empty.url));
    url.searchParams.set('pgbouncer', 'true');
    const db = (client = openClient({ databaseUrl: url.href, max: 8 }));
    for (let round = 0; round < 12; round += 1)
      await Promise.all([
        ...Array.from({ length: 6 }, () => db.receipt.count({ where: { payer: 'nobody' } })),
        db.$transaction(async (tx) => {
          await tx.$executeRaw`set local application_name = 'of one transaction'`;
          const [row] = await tx.$queryRaw<{ name: string }[]>`
            select current_setting('application_name') as name`;
          expect(row?.name).toBe('of one transaction');
        }),
      ]);
    expect(await db.receipt.count()).toBe(0);
  });

  it('a bound on the statements of one pool is no bound on those of others', async () => {
    const counts = openBounded(pooler.url(empty.url));
    const others = new Pool({ connectionString: pooler.url(empty.url), max: 6 });
    try {
      await Promise.all(times(6, () => counts.query('select pg_sleep(0.05)')));
      const slow = times(6, () => others.query('select pg_sleep(3) as slept'));
      expect(await Promise.all(slow)).toHaveLength(6);
    } finally {
      await Promise.all([counts.end(), others.end()]);
    }
  });
});

it('without a pooler PostgreSQL itself ends a statement that takes too long', async () => {
  const database = await createTestDatabase({ empty: true });
  const pool = openBounded(database.url);
  try {
    await expect(pool.query('select pg_sleep(8)')).rejects.toThrow('statement timeout');
  } finally {
    await pool.end();
    await database.close();
  }
});

/** A pool whose statements may take two seconds. */
const openBounded = (connectionString: string) =>
  new Pool({ connectionString, max: 6, onConnect: boundStatements(2_000) });

const times = <T>(count: number, work: () => Promise<T>): Promise<T>[] =>
  Array.from({ length: count }, work);

async function locksOf(databaseUrl: string): Promise<number> {
  const client = new Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    const { rows } = await client.query<{ held: number }>(
      `select count(*)::int as held from pg_locks l join pg_database d on d.oid = l.database
        where l.locktype = 'advisory' and d.datname = current_database()`,
    );
    return rows[0]?.held ?? -1;
  } finally {
    await client.end();
  }
}
