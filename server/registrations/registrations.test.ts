import { afterAll, beforeAll, expect, it } from 'vitest';
import { fillReceipts } from '@/server/exports/receipts.fixture';
import { createTestDatabase, type TestDatabase } from '@/tests/harness/create-test-database';
import { countWaived, deleteSkipped, largestFeeDue, listFeeDue } from './registrations';

const now = new Date('2026-11-28T12:00:00Z');
const today = new Date('2026-11-28T00:00:00Z');
const yesterday = new Date('2026-11-27T23:59:59Z');

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
  for (const [walletAddress, unregisteredAt] of [
    ['Registered', null],
    ['Left', now],
  ] as const)
    await database.prisma.registration.create({
      data: {
        walletAddress,
        unregisteredAt,
        businessName: 'B',
        country: 'DE',
        serviceType: 'Bread',
        fromSlot: 1n,
        registeredAt: now,
        updatedAt: now,
      },
    });
  // One that somebody has paid the fee of meanwhile has a receipt.
  await fillReceipts(database.prisma, { wallet: 'Xwallet', other: 'Registered', count: 1 });
  for (const [txSignature, seller, usd, more] of [
    ['small', 'Registered', 2n, {}],
    ['large', 'Registered', 3n, {}],
    ['Xwallet:0', 'Registered', 4n, {}],
    ['gone', 'Left', 5n, {}],
    ['waived today', 'Registered', 1n, { state: 'receipted', waived: true }],
    ['waived before', 'Registered', 1n, { state: 'receipted', waived: true, updatedAt: yesterday }],
    ['free', 'Registered', 1n, { state: 'receipted' }],
    ['skipped', null, null, { state: 'skipped', updatedAt: yesterday }],
    ['skipped today', null, null, { state: 'skipped' }],
  ] as const)
    await database.prisma.autoTransfer.create({
      data: {
        txSignature,
        seller,
        usdMicros: usd,
        state: 'fee_due',
        payer: 'P',
        token: 'USDC',
        decimals: 6,
        amountRaw: usd,
        blockTime: now,
        lookAt: now,
        createdAt: yesterday,
        updatedAt: now,
        ...more,
      },
    });
});
afterAll(() => database.close());

it('a fee is waived of the largest first, of wallets that are registered and have no receipt yet', async () => {
  const due = await largestFeeDue(database.prisma, 10);
  expect(due.map(({ txSignature }) => txSignature)).toEqual(['large', 'small']);
  expect(await largestFeeDue(database.prisma, 1)).toHaveLength(1);
});

it('only receipts waived on a day count against its number', async () => {
  expect(await countWaived(database.prisma, today)).toBe(1);
});

it('a seller sees its own fees that are due, as long as there is no receipt', async () => {
  const { count, items } = await listFeeDue(database.prisma, { seller: 'Registered', limit: 1 });
  expect([count, items.length]).toEqual([2, 1]);
  expect((await listFeeDue(database.prisma, { seller: 'Left', limit: 9 })).count).toBe(1);
});

it('only old skipped transactions are deleted', async () => {
  const before = await database.prisma.autoTransfer.count();
  await deleteSkipped(database.prisma, today);
  expect(await database.prisma.autoTransfer.count()).toBe(before - 1);
  expect(
    await database.prisma.autoTransfer.findUnique({ where: { txSignature: 'skipped' } }),
  ).toBeNull();
});
