import { afterAll, beforeAll, expect, it } from 'vitest';
import { freePayment } from '@/server/payments/hold-payment';
import { usePayment as markUsed } from '@/server/payments/claim-payment';
import { createTestDatabase, type TestDatabase } from '@/tests/harness/create-test-database';
import { runningTotals } from './read-metrics';

const now = new Date('2026-11-29T12:00:00Z');

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.close());

/** A payment of a dialect that arrived, and then bought something for a price in micro-USDC. */
async function buy(id: string, dialect: 'documented' | 'v1' | 'v2', price: bigint): Promise<void> {
  const { prisma } = database;
  await prisma.payment.create({
    data: {
      id,
      dialect,
      signature: id,
      payTo: 'till',
      requestSha256: id,
      fence: 1n,
      amountMicros: price + 7n,
      priceMicros: price,
      state: 'settled',
      createdAt: now,
      updatedAt: now,
    },
  });
  const claim = { id, fence: 1n };
  expect(await markUsed(prisma, claim, { subjectId: `of ${id}`, answer: {}, now })).toBe(true);
}

const fees = async () =>
  Object.fromEntries(
    (await runningTotals(database.prisma)).map(({ name, label, amount }) => [
      `${name} ${label}`,
      amount,
    ]),
  );

it('fees are counted by dialect when a payment buys, at its price, and not before', async () => {
  await database.prisma.payment.create({
    data: {
      id: 'LATER',
      dialect: 'v2',
      payTo: 'till',
      amountMicros: 5n,
      priceMicros: 5n,
      state: 'unused',
      requestSha256: 'x',
      createdAt: now,
      updatedAt: now,
    },
  });
  expect(await fees()).toEqual({});
  await Promise.all(
    Array.from({ length: 12 }, (_, index) =>
      buy(`PAY${index}`, index % 3 === 0 ? 'v2' : 'documented', 100_000n),
    ),
  );
  expect(await fees()).toEqual({ 'fees v2': 400_000n, 'fees documented': 800_000n });
});

it('a repeated write counts nothing, and an undone purchase is counted apart: no total falls', async () => {
  const { prisma } = database;
  await buy('UNDONE', 'v1', 3_200_000n);
  await prisma.payment.updateMany({
    where: { id: 'UNDONE' },
    data: { state: 'used', updatedAt: now },
  });
  expect(await fees()).toMatchObject({ 'fees v1': 3_200_000n });
  await freePayment(prisma, { subjectId: 'of UNDONE', reason: 'transaction_dropped', now });
  expect(await fees()).toMatchObject({ 'fees v1': 3_200_000n, 'fees_undone v1': 3_200_000n });
});

it('a purchase that is rolled back is not counted', async () => {
  const before = await fees();
  await expect(
    database.prisma.$transaction(async (tx) => {
      await tx.payment.updateMany({ where: { id: 'LATER' }, data: { state: 'used' } });
      throw new Error('not bought after all');
    }),
  ).rejects.toThrow('not bought');
  expect(await fees()).toEqual(before);
});

it('fees minus undone purchases equal the prices of all used payments', async () => {
  const [row] = await database.prisma.$queryRaw<{ used: string }[]>`
    select sum(price_micros)::text as used from payments where state = 'used'`;
  const totals = await runningTotals(database.prisma);
  const sum = totals.reduce(
    (left, { name, amount }) => left + (name === 'fees' ? amount : -amount),
    0n,
  );
  expect(sum).toBe(BigInt(row?.used ?? '0'));
});
