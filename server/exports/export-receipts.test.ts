import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { z } from 'zod';
import { createTestDatabase, type TestDatabase } from '@/tests/harness/create-test-database';
import type { Env } from '@/server/env';
import { trusted } from '@/server/trusted';
import { exportReceipts } from './export-receipts';
import { pageReceipts } from './page-receipts';
import { fillReceipts } from './receipts.fixture';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.close());

const env = trusted<Env>({ network: 'local' }, 'a country at par asks no source');
const context = () => ({
  ...{ db: database.prisma, env },
  clock: { now: () => new Date('2026-01-01T00:00:00.000Z') },
});
async function jsonOf(wallet: string): Promise<string[]> {
  let text = '';
  const o = { wallet, country: 'us', format: 'json' } as const;
  for await (const piece of await exportReceipts(context(), o)) text += piece;
  const body = z
    .object({ country: z.literal('US'), receipts: z.array(z.object({ receipt_id: z.string() })) })
    .parse(JSON.parse(text));
  return body.receipts.map(({ receipt_id }) => receipt_id);
}

describe('an export', () => {
  it('has every live receipt once, as payer or seller, oldest first, over many pages', async () => {
    // Five share each second, so that pages end between rows of one time.
    await fillReceipts(database.prisma, { wallet: 'W', other: 'X', count: 2_503, perSecond: 5 });
    await fillReceipts(database.prisma, { wallet: 'X', other: 'Y', count: 10 });
    await database.prisma
      .$executeRaw`update receipts set released_at = now() where id = 'W00000000007'`;
    const ids = await jsonOf('W');
    const expected = Array.from({ length: 2_503 }, (_, n) => `W${String(n).padStart(11, '0')}`);
    expect(ids).toEqual(expected.filter((id) => id !== 'W00000000007'));
    expect(await jsonOf('Y')).toHaveLength(10);
    expect(await jsonOf('Nobody')).toEqual([]);
  });

  it('of exactly two pages ends after them', async () => {
    await fillReceipts(database.prisma, { wallet: 'P', other: 'Q', count: 1_000 });
    expect(await jsonOf('P')).toHaveLength(1_000);
  });

  it('stops reading when it is given up', async () => {
    const db = database.prisma;
    const query = vi.spyOn(db, '$queryRaw');
    const pieces = await exportReceipts(
      { ...context(), db },
      { wallet: 'W', country: 'US', format: 'csv' },
    );
    await pieces.next();
    await pieces.next();
    await pieces.return();
    expect(await pieces.next()).toMatchObject({ done: true });
    // The first page and the one read ahead of it.
    expect(query.mock.calls.length).toBe(2);
    query.mockRestore();
  });

  it('writes its head before any rate is asked for', async () => {
    const now = vi.fn(() => new Date('2026-01-01T00:00:00.000Z'));
    const pieces = await exportReceipts(
      { ...context(), clock: { now } },
      { wallet: 'W', country: 'DE', format: 'csv' },
    );
    const { value } = await pieces.next();
    expect(value).toMatch(/^receipt_id,/);
    expect(now).not.toHaveBeenCalled();
    await pieces.return();
  });

  it('reads a page through the index of each side', async () => {
    const plan = await database.prisma.$transaction(async (tx) => {
      await tx.$executeRaw`set local enable_seqscan = off`;
      await pageReceipts(tx, { wallet: 'W', cursor: null, limit: 10 });
      return tx.$queryRaw<{ 'QUERY PLAN': string }[]>`explain select * from receipts
        where payer = 'W' and released_at is null and (block_time, id) > (now(), '')
        order by block_time, id limit 10`;
    });
    expect(JSON.stringify(plan)).toContain('receipts_payer_sums');
  });
});
