import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import * as settleExactModule from '@/server/payments/facilitator/settle-exact';
import { muteLog, standIn } from '@/tests/harness/stand-in';
import { closeUndecided } from '@/server/chain/undecided-transactions';
import type { SettledPayment } from '@/server/payments/facilitator/settle-exact';
import { createTestDatabase, type TestDatabase } from '@/tests/harness/create-test-database';
import { sweepOnce } from './sweep-payments';

const settled: { outcome: SettledPayment } = { outcome: { state: 'pending' } };
standIn(settleExactModule, {
  settleExact: async () => settled.outcome,
});
muteLog();

const SENT_AT = new Date('2026-11-29T12:00:00Z');
const after = (minutes: number) => new Date(SENT_AT.getTime() + minutes * 60_000);
const SIGNATURE = 'of the payment';
let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.close());
beforeEach(async () => {
  await database.prisma.payment.deleteMany();
  await database.prisma.undecidedTransaction.deleteMany();
  await database.prisma.payment.create({
    data: {
      id: 'SENT',
      state: 'sent',
      dialect: 'v2',
      payer: 'payer',
      payTo: 'till',
      messageHash: 'hash',
      requestSha256: 'this',
      signature: SIGNATURE,
      wire: new Uint8Array([1]),
      lastValidBlockHeight: 5n,
      createdAt: SENT_AT,
      updatedAt: SENT_AT,
    },
  });
});

const sweepAt = (minutes: number) =>
  sweepOnce({ db: database.prisma, clock: { now: () => after(minutes) } });
const rowOf = () => database.prisma.payment.findUniqueOrThrow({ where: { id: 'SENT' } });
const noted = () => database.prisma.undecidedTransaction.findMany();

it('a payment that is open for over an hour is on record, charges nobody again, and can be closed', async () => {
  settled.outcome = { state: 'pending' };
  await sweepAt(55);
  expect(await noted()).toEqual([]);
  await sweepAt(65);
  const [row] = await noted();
  expect(row).toMatchObject({ signature: SIGNATURE, kind: 'payment', subject: 'SENT' });
  expect(row?.reason).toContain('open for over an hour');
  expect(await rowOf()).toMatchObject({ state: 'sent' });
  await closeUndecided(database.prisma, { signature: SIGNATURE, note: 'nobody knows it' });
  await sweepAt(75);
  expect(await rowOf()).toMatchObject({ state: 'failed', reason: 'closed_on_record' });
});

it('a payment that is closed on record and settles all the same is its payer’s', async () => {
  settled.outcome = { state: 'undecided', reason: 'a hole' };
  await sweepAt(5);
  expect(await noted()).toMatchObject([{ reason: 'a hole' }]);
  await closeUndecided(database.prisma, { signature: SIGNATURE, note: 'nobody knows it' });
  settled.outcome = { state: 'settled', slot: 9n };
  await sweepAt(75);
  expect(await rowOf()).toMatchObject({ state: 'unused' });
});
