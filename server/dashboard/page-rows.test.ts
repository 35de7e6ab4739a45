import { afterAll, beforeAll, expect, it } from 'vitest';
import { fillReceipts } from '@/server/exports/receipts.fixture';
import { createTestDatabase, type TestDatabase } from '@/tests/harness/create-test-database';
import { pageRows } from './page-rows';
import { setPrivateLabel } from './private-labels';

const [SELLER, PAYER] = ['Awallet', 'Bwallet'];
const receiptId = 'A00000000001';
const now = new Date('2026-11-28T12:00:00Z');

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
  await fillReceipts(database.prisma, { wallet: SELLER, other: PAYER, count: 4 });
  const label = 'Table nine';
  await setPrivateLabel(database.prisma, { wallet: SELLER, receiptId, label, now });
});
afterAll(() => database.close());

async function found(wallet: string, role: 'seller' | 'payer', search?: string) {
  const rows = await pageRows(database.prisma, {
    ...{ wallet, role, search, cursor: null, limit: 10, order: 'newest' },
    ...{ from: new Date('2025-01-01'), until: new Date('2026-01-01') },
  });
  return rows.map((row) => [row.receiptId, row.label]);
}

it('a note is shown to the wallet that made it, and not to the other side', async () => {
  expect(await found(SELLER, 'seller', receiptId)).toEqual([[receiptId, 'Table nine']]);
  expect(await found(PAYER, 'payer', receiptId)).toEqual([[receiptId, null]]);
});

it('the other side does not find a receipt by a note either', async () => {
  expect(await found(SELLER, 'seller', 'table nin')).toHaveLength(1);
  expect(await found(PAYER, 'payer', 'table nin')).toEqual([]);
});

it('a note of the other side neither replaces nor takes away one’s own', async () => {
  const note = { wallet: PAYER, receiptId, now };
  await setPrivateLabel(database.prisma, { ...note, label: 'Lunch' });
  expect(await found(SELLER, 'seller', receiptId)).toEqual([[receiptId, 'Table nine']]);
  expect(await found(PAYER, 'payer', receiptId)).toEqual([[receiptId, 'Lunch']]);
  await setPrivateLabel(database.prisma, { ...note, label: '' });
  expect(await found(SELLER, 'seller', receiptId)).toEqual([[receiptId, 'Table nine']]);
});

it('a wallet sees receipts on the side that it stood on, and strangers none', async () => {
  const [asSeller, asPayer] = [await found(SELLER, 'seller'), await found(SELLER, 'payer')];
  expect(asSeller.map(([id]) => id)).toEqual(['A00000000003', receiptId]);
  expect(asPayer.map(([id]) => id)).toEqual(['A00000000002', 'A00000000000']);
  expect(await found('Cwallet', 'seller')).toEqual([]);
  expect(await found('Cwallet', 'payer', receiptId)).toEqual([]);
});
