import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Prisma } from '@/generated/prisma/client';
import { createTestDatabase, type TestDatabase } from '@/tests/harness/create-test-database';
import { isStillOpen, listPrepared, notePrepared, sentForSame } from './prepared-quotes';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.close());
beforeEach(() => database.prisma.quote.deleteMany());
afterEach(() => {
  vi.useRealTimers();
});

const now = Date.now();
const row = (id: string, o: Partial<Prisma.QuoteCreateManyInput> = {}) => ({
  id,
  method: 'POST',
  path: '/mint',
  bodySha256: id,
  priceMicros: 1n,
  payTo: 'till',
  txSignature: 'tx',
  frozen: {},
  mayBeSent: true,
  createdAt: new Date(now),
  openUntil: new Date(now + HOUR),
  keepUntil: new Date(now + 99 * HOUR),
  ...o,
});

it('any number of newer quotes of a transaction hides none that may be paid for already', async () => {
  const newer = Array.from({ length: 40 }, (_, n) =>
    row(`newer ${n}`, { createdAt: new Date(now + n) }),
  );
  const older = row('older', { createdAt: new Date(now - MINUTE) });
  await database.prisma.quote.createMany({ data: [...newer, older, row('mine')] });
  const mine = await database.prisma.quote.findUniqueOrThrow({ where: { id: 'mine' } });
  const found = await sentForSame(database.prisma, mine);
  expect(found).toHaveLength(41);
  expect(found.map(({ id }) => id)).toContain('older');
});

describe.each([-3, 0, 3])('while the clock of the process is %s days off', (days) => {
  const skew = () => vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + days * 24 * HOUR });

  it('a quote is open, and noted as prepared, by the clock of the database', async () => {
    await database.prisma.quote.createMany({
      data: [row('open'), row('ended', { openUntil: new Date(now - 1) })],
    });
    const rows = await database.prisma.quote.findMany({ orderBy: { id: 'asc' } });
    skew();
    const open = await Promise.all(rows.map((one) => isStillOpen(database.prisma, one)));
    expect(rows.map(({ id }, n) => [id, open[n]])).toEqual([
      ['ended', false],
      ['open', true],
    ]);
    await notePrepared(database.prisma, { id: 'open', request: {}, landsUntil: 5n });
    const [noted] = await database.prisma.$queryRaw<{ recent: boolean }[]>`
      select prepared_at between now() - interval '1 minute' and clock_timestamp() as recent
      from quotes where id = 'open'`;
    expect(noted).toEqual({ recent: true });
  });

  it('the sweep gets what was quiet for half a minute and is no older than 48 hours', async () => {
    const prepared = (id: string, ms: number) =>
      row(id, { preparedAt: new Date(Date.now() - ms), txSignature: id });
    await database.prisma.quote.createMany({
      data: [
        prepared('fresh', 10_000),
        prepared('quiet', MINUTE),
        prepared('old', 47 * HOUR),
        prepared('over', 49 * HOUR),
      ],
    });
    skew();
    const found = await listPrepared(database.prisma, { after: undefined, limit: 10 });
    expect(found.map(({ id }) => id)).toEqual(['old', 'quiet']);
  });
});
