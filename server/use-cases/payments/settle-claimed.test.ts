import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { trusted } from '@/server/trusted';
import { createTestDatabase, type TestDatabase } from '@/tests/harness/create-test-database';
import type { Call } from '../call';
import { claimTogether } from './settle-claimed';
import type { Purchase } from './purchase';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.close());
beforeEach(async () => {
  await database.prisma.payment.deleteMany();
  await database.prisma.waitingPayer.deleteMany();
});

/** Claims a payment of the buyer whose purchase answers so when it is to be reserved. */
function claim(reservation: 'busy' | 'done' | { reserved: string }, transaction: object | null) {
  const call = trusted<Call>({ service: { db: database.prisma } }, 'all that is read');
  const purchase = trusted<Purchase<string>>(
    { transaction, reserve: async () => reservation },
    'all that is called of it',
  );
  return claimTogether(call, purchase, {
    id: 'PAY1',
    dialect: 'v2',
    name: { messageHash: 'hash' },
    payer: 'buyer',
    payTo: 'till',
    amountMicros: 1n,
    priceMicros: 1n,
    quoteId: null,
    requestSha256: 'this',
    slot: null,
    blockTime: null,
    holder: 'request',
    now: new Date(),
  });
}
const waiting = () => database.prisma.waitingPayer.findMany({ omit: { waitedAt: true } });

it('a payer whose transaction another payment holds claims nothing, and is recorded as waiting', async () => {
  expect(await claim('busy', { signature: 'sale' })).toBe('busy');
  expect(await database.prisma.payment.count()).toBe(0);
  expect(await waiting()).toEqual([{ txSignature: 'sale', payer: 'buyer' }]);
  expect(await claim('busy', { signature: 'sale' })).toBe('busy');
  expect(await waiting()).toHaveLength(1);
});

it('nobody waits for what is bought, is a statement or is free', async () => {
  expect(await claim('done', { signature: 'sale' })).toBe('done');
  expect(await claim('busy', null)).toBe('busy');
  expect(await claim({ reserved: 'it' }, { signature: 'sale' })).toMatchObject({ reserved: 'it' });
  expect(await waiting()).toEqual([]);
});
