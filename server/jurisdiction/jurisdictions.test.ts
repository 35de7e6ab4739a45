import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '@/tests/harness/create-test-database';
import { forgetOld, forgetWallet } from './jurisdictions';

const now = new Date('2036-11-28T12:00:00Z');
let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.close());
beforeEach(() => database.prisma.payerJurisdiction.deleteMany());

async function record(receiptId: string, payer: string, recordedAt: string): Promise<void> {
  await database.prisma.payerJurisdiction.create({
    data: {
      receiptId,
      payer,
      seller: 'S',
      country: 'FI',
      method: 'ip_geolocation',
      databaseDate: now,
      recordedAt: new Date(recordedAt),
      usdMicros: 1n,
      blockTime: now,
    },
  });
}
const left = async () => {
  const rows = await database.prisma.payerJurisdiction.findMany({ orderBy: { receiptId: 'asc' } });
  return rows.map(({ receiptId }) => receiptId);
};

it('a recorded country is deleted when its years are over, and not a moment before', async () => {
  await record('OLD', 'P', '2026-11-28T12:00:00Z');
  await record('YOUNG', 'P', '2026-11-28T12:00:00.001Z');
  expect(await forgetOld(database.prisma, { years: 10, now, limit: 100 })).toBe(1);
  expect(await left()).toEqual(['YOUNG']);
});

it('old rows are deleted so many at a time', async () => {
  for (const id of ['A', 'B', 'C']) await record(id, 'P', '2020-01-01T00:00:00Z');
  expect(await forgetOld(database.prisma, { years: 10, now, limit: 2 })).toBe(2);
  expect(await left()).toHaveLength(1);
});

it('a wallet is forgotten as payer, whole and alone, and the audit does not say what was known', async () => {
  await record('A', 'P', '2036-01-01T00:00:00Z');
  await record('B', 'P', '2036-01-01T00:00:00Z');
  await record('C', 'Q', '2036-01-01T00:00:00Z');
  const count = await database.prisma.$transaction((tx) =>
    forgetWallet(tx, { wallet: 'P', actor: 'admin', now }),
  );
  expect([count, await left()]).toEqual([2, ['C']]);
  const [entry] = await database.prisma.auditEntry.findMany();
  expect(entry).toMatchObject({ action: 'jurisdiction.forget', subject: 'P' });
  expect(JSON.stringify(entry?.detail)).not.toContain('FI');
});
