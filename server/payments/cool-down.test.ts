import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { databaseNow } from '@/server/db/database-clock';
import { createTestDatabase, type TestDatabase } from '@/tests/harness/create-test-database';
import { forgetWaiting, isCoolingDown, noteWaiting } from './cool-down';

const MINUTE_MS = 60_000;
let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.close());
beforeEach(async () => {
  const { prisma } = database;
  await Promise.all([
    prisma.payment.deleteMany(),
    prisma.quote.deleteMany(),
    prisma.waitingPayer.deleteMany(),
  ]);
});

const HOLDER = { txSignature: 'sale', payer: 'seller' };
const isCooling = () => isCoolingDown(database.prisma, HOLDER);

/** A payment of the holder for the transaction, which ended so many minutes ago. */
async function ended(o: { minutes?: number; txSignature?: string; payment?: object } = {}) {
  const { prisma } = database;
  const now = await databaseNow(prisma);
  const at = new Date(now.getTime() - (o.minutes ?? 1) * MINUTE_MS);
  const quote = { id: 'QT1', method: 'POST', path: '/mint', bodySha256: 'b', priceMicros: 1n };
  await prisma.quote.create({
    data: {
      ...quote,
      payTo: 'till',
      txSignature: o.txSignature ?? 'sale',
      frozen: {},
      createdAt: at,
      openUntil: at,
      keepUntil: at,
    },
  });
  await prisma.payment.create({
    data: {
      id: 'PAY1',
      dialect: 'v2',
      messageHash: 'm',
      payer: 'seller',
      payTo: 'till',
      quoteId: 'QT1',
      state: 'failed',
      reason: 'transaction_expired',
      requestSha256: 'any',
      createdAt: at,
      updatedAt: at,
      ...o.payment,
    },
  });
}
const otherWaits = () => noteWaiting(database.prisma, { ...HOLDER, payer: 'buyer' });

it('a payer whose payment ended for nothing lets another payer who waits go first', async () => {
  await otherWaits();
  expect(await isCooling()).toBe(false);
  await ended();
  expect(await isCooling()).toBe(true);
  await otherWaits();
  expect(await isCooling()).toBe(true);
});

it.each<[string, Parameters<typeof ended>[0]]>([
  ['ended 11 minutes ago', { minutes: 11 }],
  ['was for another transaction', { txSignature: 'another' }],
  ['was of another payer', { payment: { payer: 'buyer' } }],
  ['was sent by its client', { payment: { dialect: 'documented' } }],
  ['has bought something', { payment: { state: 'used', reason: null } }],
])('a payment that %s keeps nobody back', async (_, o) => {
  await otherWaits();
  await ended(o);
  expect(await isCooling()).toBe(false);
});

it('a payer without waiting rivals is not delayed, and its own waiting does not count', async () => {
  await ended();
  expect(await isCooling()).toBe(false);
  await noteWaiting(database.prisma, HOLDER);
  expect(await isCooling()).toBe(false);
  await noteWaiting(database.prisma, { txSignature: 'another', payer: 'buyer' });
  expect(await isCooling()).toBe(false);
});

it('a payer who waited more than 10 minutes ago does not count, and is deleted', async () => {
  await ended();
  await otherWaits();
  const { prisma } = database;
  const now = await databaseNow(prisma);
  await prisma.waitingPayer.updateMany({
    data: { waitedAt: new Date(now.getTime() - 11 * MINUTE_MS) },
  });
  expect(await isCooling()).toBe(false);
  await forgetWaiting(prisma, new Date(now.getTime() - 12 * MINUTE_MS));
  expect(await prisma.waitingPayer.count()).toBe(1);
  await forgetWaiting(prisma, now);
  expect(await prisma.waitingPayer.count()).toBe(0);
});
