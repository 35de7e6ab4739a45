import { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { z } from 'zod';
import { createTestDatabase, type TestDatabase } from '@/tests/harness/create-test-database';
import type { Env } from '@/server/env';
import { keepRate } from '@/server/rates/find-rate';
import { findListedReceipts } from '@/server/receipts/find-receipt';
import { statedLabels } from '@/server/receipts/hide-labels';
import { trusted } from '@/server/trusted';
import { exportReceipts } from './export-receipts';
import { pageReceipts } from './unpack-receipt';
import { fillReceipts } from './receipts.fixture';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.close());

const env = trusted<Env>({ network: 'local' }, 'a country at par asks no source');
const context = () => ({
  db: database.prisma,
  env,
  clock: { now: () => new Date('2026-01-01T00:00:00.000Z') },
});
/** Nothing listens at the sources. */
const ratesAway = () => {
  const nowhere = 'http://127.0.0.1:1';
  const rates = { name: 'first', url: nowhere, datedName: 'second', datedUrl: nowhere };
  return {
    ...context(),
    env: trusted<Env>(
      { network: 'local', rates: { ...rates, solName: 'sol', solUrl: nowhere } },
      'all that an export reads of the settings',
    ),
  };
};
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

  it('has a note in place of labels that the operator hid, and no statement of later has them', async () => {
    await fillReceipts(database.prisma, { wallet: 'H', other: 'G', count: 2 });
    await database.prisma
      .$executeRaw`update receipts set labels_hidden_at = now() where id = 'H00000000001'`;
    let text = '';
    for await (const piece of await exportReceipts(context(), {
      wallet: 'H',
      country: 'us',
      format: 'csv',
    }))
      text += piece;
    const [, shown, hidden] = text.split('\r\n');
    expect(shown).toContain(',API access,,INV-0,');
    expect(hidden).toContain(',Hidden by the operator,,Hidden by the operator,');
    expect(text).not.toContain('INV-1');
    const listed = await findListedReceipts(database.prisma, ['H:0', 'H:1']);
    const stated = [listed.get('H:0'), listed.get('H:1')].map(statedLabels);
    expect(stated).toMatchObject([
      { serviceType: 'API access', invoiceId: 'INV-0' },
      { serviceType: null, invoiceId: null, metadataUri: expect.stringContaining('H00000000001') },
    ]);
  });

  it('is in the order of the chain within a second: slot, then position in the block', async () => {
    // Ids run against the chain: the last id is the first in its block.
    await fillReceipts(database.prisma, {
      wallet: 'C',
      other: 'D',
      count: 1_200,
      perSecond: 1_200,
    });
    await database.prisma.$executeRaw`update receipts
      set slot = 1000 + substr(id, 2)::int % 3, block_index = 5000 - substr(id, 2)::int
      where tx_signature like 'C:%'`;
    const numbers = Array.from({ length: 1_200 }, (_, n) => 1_199 - n);
    const expected = [0, 1, 2].flatMap((slot) => numbers.filter((n) => n % 3 === slot));
    expect(await jsonOf('C')).toEqual(expected.map((n) => `C${String(n).padStart(11, '0')}`));
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

  it('has the database read the next page while the rows of this one become text', async () => {
    const o = { wallet: 'W', country: 'US', format: 'csv' } as const;
    const pieces = await exportReceipts(context(), o);
    await pieces.next();
    const sent = vi.spyOn(Client.prototype, 'query');
    expect((await pieces.next()).value?.split('\r\n')).toHaveLength(500 + 1);
    expect(sent).toHaveBeenCalled();
    sent.mockRestore();
    await pieces.return();
  });

  it.each(['json', 'csv', 'koinly', 'xero', 'quickbooks'] as const)(
    'as %s is refused before its first byte while the rates are away',
    async (format) => {
      const o = { wallet: 'W', country: 'DE', format };
      await expect(exportReceipts(ratesAway(), o)).rejects.toMatchObject({
        code: 'rates_unavailable',
        status: 503,
        retryAfterS: expect.any(Number),
      });
    },
  );

  it.each(['cointracker', 'coinledger', 'rotki'] as const)(
    'as %s, which has no local money, is whole while the rates are away',
    async (format) => {
      let text = '';
      const o = { wallet: 'P', country: 'DE', format };
      for await (const piece of await exportReceipts(ratesAway(), o)) text += piece;
      expect(text.split('\r\n')).toHaveLength(1_000 + 2);
    },
  );

  it('is broken off when the rates go away between two pages', async () => {
    // The first page has 500 rows ten minutes apart: four days, whose rates are kept.
    for (const day of ['2025-01-01', '2025-01-02', '2025-01-03', '2025-01-04'])
      await keepRate(database.prisma, {
        quote: 'EUR',
        day,
        publishedOn: day,
        base: 'EUR',
        rate: '1',
        usdRate: '1.1',
        source: 'kept',
        final: true,
        fetchedAt: new Date(),
      });
    const o = { wallet: 'P', country: 'DE', format: 'csv' } as const;
    const pieces = await exportReceipts(ratesAway(), o);
    expect((await pieces.next()).value).toMatch(/^receipt_id,/);
    expect((await pieces.next()).value?.split('\r\n')).toHaveLength(500 + 1);
    await expect(pieces.next()).rejects.toMatchObject({ code: 'rates_unavailable' });
  });

  it('reads a page through the index of each side', async () => {
    const plan = await database.prisma.$transaction(async (tx) => {
      await tx.$executeRaw`set local enable_seqscan = off`;
      await pageReceipts(tx, { wallet: 'W', cursor: null, limit: 10 });
      return tx.$queryRaw<{ 'QUERY PLAN': string }[]>`explain select * from receipts
        where payer = 'W' and released_at is null
          and (block_time, slot, block_index, id) > (now(), 0, 0, '')
        order by block_time, slot, block_index, id limit 10`;
    });
    expect(JSON.stringify(plan)).toContain('receipts_payer_sums');
    expect(JSON.stringify(plan)).not.toContain('Sort');
  });
});
