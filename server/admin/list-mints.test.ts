import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { PaymentState } from '@/generated/prisma/client';
import { createTestDatabase, type TestDatabase } from '@/tests/harness/create-test-database';
import { listUndecided } from './list-mints';

const HOUR_MS = 3_600_000;
let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.close());
beforeEach(async () => {
  await database.prisma.undecidedTransaction.deleteMany();
  await database.prisma.payment.deleteMany();
});

async function undecidedPayment(o: {
  state: PaymentState;
  reason: string | null;
  seenHoursAgo: number;
}) {
  const at = new Date(Date.now() - o.seenHoursAgo * HOUR_MS);
  await database.prisma.payment.create({
    data: {
      id: 'PAY',
      dialect: 'v2',
      signature: 'sig',
      payer: 'payer',
      payTo: 'till',
      state: o.state,
      reason: o.reason,
      requestSha256: 'this',
      createdAt: at,
      updatedAt: at,
    },
  });
  await database.prisma.undecidedTransaction.create({
    data: { signature: 'sig', kind: 'payment', subject: 'PAY', reason: 'r', since: at, seenAt: at },
  });
}
const listed = async () => (await listUndecided(database.prisma)).map(({ signature }) => signature);

describe('the list of undecided transactions', () => {
  it.each([
    ['sent', null],
    ['failed', 'transaction_expired'],
    ['unused', 'payment_dropped'],
  ] as const)(
    'names a payment that is %s and that a node was seen to know',
    async (state, reason) => {
      await undecidedPayment({ state, reason, seenHoursAgo: 2 });
      expect(await listed()).toEqual(['sig']);
    },
  );

  it.each([
    ['failed', 'transaction_expired', 26],
    ['used', null, 2],
  ] as const)('is over for one that is %s', async (state, reason, seenHoursAgo) => {
    await undecidedPayment({ state, reason, seenHoursAgo });
    expect(await listed()).toEqual([]);
  });
});
