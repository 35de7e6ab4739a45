import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { fillReceipts, filledId } from '@/server/exports/receipts.fixture';
import { sumByCountry } from '@/server/jurisdiction/jurisdictions';
import { createTestDatabase, type TestDatabase } from '@/tests/harness/create-test-database';
import { type RowFilter, selectedIds, setPrivateLabel } from './page-rows';
import { pagePayments, paymentRows } from './payment-rows';
import { sumPayments } from './sum-payments';

const [SHOP, OTHER] = ['Shop', 'Other'];
const BUYER = '11111111111111111111111111111112';
const seller: RowFilter = {
  wallet: SHOP,
  role: 'seller',
  from: new Date('2025-01-01'),
  until: new Date('2025-02-01'),
};
const priceOf = () => null;

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
  const { prisma: db } = database;
  // Two days of receipts, of which the shop sold every second one.
  await fillReceipts(db, { wallet: SHOP, other: OTHER, count: 200 });
  const pick = (n: number) => ({ where: { id: filledId(SHOP, n) } });
  await db.receipt.update({ ...pick(3), data: { serviceType: 'Catering' } });
  await db.receipt.update({ ...pick(5), data: { payer: BUYER } });
  await db.receipt.update({ ...pick(199), data: { payer: BUYER } });
  await db.mint.update({ ...pick(7), data: { status: 'failed' } });
  await setPrivateLabel(db, {
    wallet: SHOP,
    receiptId: filledId(SHOP, 9),
    label: 'Table nine',
    now: new Date(),
  });
  await db.$executeRaw`
    insert into payer_jurisdictions (receipt_id, seller, payer, country, method, database_date,
      recorded_at, usd_micros, block_time)
    select id, seller, payer, case when id = ${filledId(SHOP, 5)} then 'FR' else 'DE' end,
           'ip_geolocation', '2026-06-17', now(), usd_micros, block_time
      from receipts where seller = ${SHOP}`;
  // Without statistics, the database takes a plan that is only for tables of a few rows.
  await db.$executeRaw`analyze receipts`;
});
afterAll(() => database.close());

describe('the totals of a filter', () => {
  it.each<[string, Partial<RowFilter>, number]>([
    ['a word of the purpose', { search: 'cater' }, 1],
    ['a word that all have', { search: 'api' }, 99],
    ['a wallet', { search: BUYER }, 2],
    ['an id', { search: filledId(SHOP, 11).toLowerCase() }, 1],
    ['a note', { search: 'table ni' }, 1],
    ['spaces', { search: '  ' }, 100],
    ['a text that none has', { search: 'zzzz' }, 0],
    ['a state', { status: 'failed' }, 1],
    ['a state and a text of others', { status: 'failed', search: 'cater' }, 0],
    ['a wallet, in another token', { search: BUYER, mint: null }, 0],
  ])('are those of the rows that it lists: %s', async (_, chosen, count) => {
    const { prisma: db } = database;
    const filter = { ...seller, ...chosen };
    const view = { ...filter, network: 'local' as const, priceOf };
    const listed = await pagePayments(db, { ...filter, cursor: null, limit: 500, order: 'newest' });
    const rows = listed.flatMap((payment) => paymentRows(payment, view));
    const sums = await sumPayments(db, {
      filter,
      network: 'local',
      prepare: () => Promise.resolve(),
      priceOf,
    });
    const total = (values: bigint[]) => values.reduce((sum, value) => sum + value, 0n);
    expect(sums.reduce((sum, one) => sum + one.count, 0)).toBe(count);
    expect(rows).toHaveLength(count);
    expect(total(sums.map(({ usdMicros }) => usdMicros))).toBe(
      total(rows.map(({ usdMicros }) => usdMicros ?? 0n)),
    );
    const countries = await sumByCountry(db, {
      seller: SHOP,
      from: filter.from,
      until: filter.until,
      among: selectedIds(filter),
    });
    expect(countries.reduce((sum, one) => sum + one.count, 0)).toBe(count);
  });

  it('name only the countries of the rows that it lists', async () => {
    const among = selectedIds({ ...seller, search: filledId(SHOP, 5) });
    const { from, until } = seller;
    const sums = await sumByCountry(database.prisma, { seller: SHOP, from, until, among });
    expect(sums).toEqual([{ country: 'FR', count: 1, usdMicros: 1_000_005n }]);
  });

  it('count the country of a receipt whose further leg alone is in the token', async () => {
    const { prisma: db } = database;
    const filter = { ...seller, mint: 'Bonk' };
    await db.receipt.update({
      where: { id: filledId(SHOP, 13) },
      data: { otherLegs: [{ owner: SHOP, amount: '5', mint: 'Bonk', decimals: 5 }] },
    });
    const listed = await pagePayments(db, { ...filter, cursor: null, limit: 9, order: 'newest' });
    expect(listed).toHaveLength(1);
    const { from, until } = seller;
    const among = selectedIds(filter);
    const sums = await sumByCountry(db, { seller: SHOP, from, until, among });
    expect(sums).toEqual([{ country: 'DE', count: 1, usdMicros: 1_000_013n }]);
  });
});
