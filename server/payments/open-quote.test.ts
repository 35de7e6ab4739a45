import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '@/tests/harness/create-test-database';
import { randomIds } from '@/server/ids';
import { openQuote, type QuoteWish } from './open-quote';
import { keyOfRequest } from './request-key';

const MINUTE = 60_000;
let database: TestDatabase;
let nowMs: number;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.close());
beforeEach(async () => {
  nowMs = Date.parse('2026-11-28T12:00:00Z');
  await database.prisma.quote.deleteMany();
});

const keyOf = (n: number) => keyOfRequest({ method: 'POST', path: '/statement', body: { n } });
const ask = (o: Partial<QuoteWish> & { frozen?: { digest?: string } } = {}) =>
  openQuote(
    // A millisecond later each time: which is the newest must not hang on chance.
    { db: database.prisma, clock: { now: () => new Date(nowMs++) }, ids: randomIds },
    {
      ...{ key: keyOf(1), priceMicros: 1n, payTo: 'till', txSignature: null, wallet: 'wallet' },
      ...{ digest: 'a', frozen: { digest: o.digest ?? 'a' }, clientHash: 'c', mostOpenQuotes: 3 },
      ...o,
    },
  );

it('is the same for the same list, and another one for another list at the same price', async () => {
  const first = await ask();
  expect((await ask()).id).toBe(first.id);
  const second = await ask({ digest: 'b' });
  expect(second.id).not.toBe(first.id);
  expect((await ask({ digest: 'b' })).id).toBe(second.id);
  // The newest is what a payment without memo counts for, so an older one is not given again.
  expect([first.id, second.id]).not.toContain((await ask()).id);
});

it('is not offered again once it has bought something', async () => {
  const { id } = await ask();
  await database.prisma.payment.create({
    data: {
      ...{ id: 'p', dialect: 'v2', payTo: 'till', quoteId: id, state: 'used' },
      ...{ requestSha256: 'r', createdAt: new Date(), updatedAt: new Date() },
    },
  });
  expect((await ask()).id).not.toBe(id);
});

it('is open three times for one address and not a fourth time, until one has ended', async () => {
  const wishes = [1, 2, 3, 4, 5, 6].map((n) =>
    ask({ key: keyOf(n) }).then(
      () => 'given',
      (error: unknown) => error,
    ),
  );
  const outcomes = await Promise.all(wishes);
  expect(outcomes.filter((one) => one === 'given')).toHaveLength(3);
  const refused = outcomes.find((one) => one !== 'given');
  expect(refused).toMatchObject({ code: 'too_many_quotes', status: 429, retryAfterS: 1_800 });
  await expect(ask({ key: keyOf(9), clientHash: 'other' })).resolves.toBeTruthy();
  await expect(ask({ key: keyOf(9), mostOpenQuotes: null })).resolves.toBeTruthy();
  nowMs += 31 * MINUTE;
  await expect(ask({ key: keyOf(9) })).resolves.toBeTruthy();
});
