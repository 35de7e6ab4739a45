import { afterAll, beforeAll, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '@/tests/harness/create-test-database';
import { sweepOnce } from './sweep-payments';

const NOW = new Date('2026-11-29T12:00:00Z');
const after = (seconds: number) => new Date(NOW.getTime() + seconds * 1_000);
let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.close());

it('a sweep keeps the reservations of all sent payments, for any number of them', async () => {
  const db = database.prisma;
  const sent = Array.from({ length: 70 }, (_, n) => `SENT ${n}`);
  const states = [
    ...sent.map((id) => ({ id, state: 'sent' as const })),
    { id: 'USED', state: 'used' as const },
  ];
  await db.payment.createMany({
    data: states.map((one) => ({
      ...one,
      dialect: 'v2',
      messageHash: one.id,
      payTo: 'till',
      requestSha256: one.id,
      // Another owner holds all of them, so this sweep checks none.
      leaseOwner: 'other',
      leaseUntil: after(30),
      createdAt: NOW,
      updatedAt: NOW,
    })),
  });
  const held = [...states, { id: 'REQUEST' }].map(({ id }) => ({
    txSignature: id,
    holder: id,
    fence: 1n,
    // Some have ended already, and no other request took them.
    leaseUntil: after(id.endsWith('0') ? -5 : 20),
  }));
  await db.reservation.createMany({ data: held });
  expect(await sweepOnce({ db, clock: { now: () => NOW } })).toEqual({ freed: 0, looked: 0 });
  const kept = await db.reservation.findMany({ where: { leaseUntil: after(180) } });
  expect(kept.map(({ holder }) => holder).sort()).toEqual(sent.sort());
});
