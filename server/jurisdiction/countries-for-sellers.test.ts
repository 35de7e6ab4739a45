import { afterAll, beforeAll, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '@/tests/harness/create-test-database';
import { countriesOfReceipts, sumByCountry } from './jurisdictions';

const time = new Date('2026-11-28T12:00:00Z');
const PERIOD = {
  from: new Date('2026-11-28T00:00:00Z'),
  until: new Date('2026-11-29T00:00:00Z'),
};
let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
  const rows = [
    { receiptId: 'A', seller: 'S', country: 'FI' },
    { receiptId: 'B', seller: 'OTHER', country: 'JP' },
    { receiptId: 'C', seller: 'S', country: null },
    { receiptId: 'D', seller: 'S', country: 'DE', blockTime: PERIOD.until },
  ];
  for (const row of rows)
    await database.prisma.payerJurisdiction.create({
      data: {
        payer: 'P',
        method: 'ip_geolocation',
        databaseDate: time,
        recordedAt: time,
        usdMicros: 1n,
        blockTime: time,
        ...row,
      },
    });
});
afterAll(() => database.close());

it('a country is shown only to the seller of the receipt, for any requested ids', async () => {
  const receiptIds = ['A', 'B', 'C'];
  const tell = (seller: string) => countriesOfReceipts(database.prisma, { seller, receiptIds });
  expect([...(await tell('S'))]).toEqual([['A', 'FI']]);
  expect([...(await tell('P'))]).toEqual([]);
});

it('the countries of a period are those of one seller and of that period', async () => {
  const sum = (seller: string) => sumByCountry(database.prisma, { seller, ...PERIOD });
  expect(await sum('S')).toEqual([{ country: 'FI', count: 1, usdMicros: 1n }]);
  expect(await sum('P')).toEqual([]);
});
