import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { chooseLimits } from '@/server/limits';
import { createTestDatabase, type TestDatabase } from '@/tests/harness/create-test-database';
import { databaseNow } from '@/server/db/database-clock';
import { spentFailures } from './cool-down';

const DAY_MS = 86_400_000;
const limits = chooseLimits({ failed_payer: 2, failed_all: 4 }, { isLocal: false });
let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.close());
beforeEach(() => database.prisma.payment.deleteMany());

let made = 0;
async function failed(payer: string, o: object = {}) {
  made += 1;
  const now = await databaseNow(database.prisma);
  await database.prisma.payment.create({
    data: {
      id: `PAY${made}`,
      dialect: 'v2',
      signature: `sig${made}`,
      payer,
      payTo: 'till',
      state: 'failed',
      reason: 'transaction_failed',
      requestSha256: 'this',
      createdAt: now,
      updatedAt: now,
      ...o,
    },
  });
}
const spent = (payer: string) => spentFailures(database.prisma, { payer, limits });

it('a day has limits of payments that fail on chain, for one wallet and for all together', async () => {
  await failed('A');
  expect(await spent('A')).toBeNull();
  await failed('A');
  expect(await spent('A')).toBe('payer');
  expect(await spent('B')).toBeNull();
  await failed('B', { dialect: 'v1' });
  expect(await spent('C')).toBeNull();
  await failed('C');
  expect(await spent('D')).toBe('all');
  expect(await spentFailures(database.prisma, { payer: 'A', limits: null })).toBeNull();
});

it('payments under way count for all together, and no wallet is kept from paying several at once', async () => {
  for (let n = 0; n < 3; n += 1) await failed('A', { state: 'sent', reason: null });
  expect(await spent('A')).toBeNull();
  await failed('B', { state: 'sent', reason: null });
  expect(await spent('A')).toBe('all');
});

it('payments without cost do not count, and neither do those that failed on another day', async () => {
  const yesterday = new Date((await databaseNow(database.prisma)).getTime() - DAY_MS);
  for (let n = 0; n < 5; n += 1) {
    await failed('A', { reason: 'transaction_expired' });
    await failed('A', { dialect: 'documented' });
    await failed('A', { state: 'used', reason: null });
    await failed('A', { createdAt: yesterday });
  }
  expect(await spent('A')).toBeNull();
});
