import { Client } from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it, vi } from 'vitest';
import { createRpc } from '@/server/chain/rpc';
import { startFakeNode, type FakeNode } from '@/tests/harness/chain/fake-node';
import { randomIds } from '@/server/ids';
import { createTestDatabase, type TestDatabase } from '@/tests/harness/create-test-database';
import { untilLockWaits } from '@/tests/harness/until-lock-waits';
import { deleteOldQuotes, openQuote, type QuoteWish } from './open-quote';
import { keyOfRequest } from './quotes';

const MINUTE = 60_000;
let database: TestDatabase;
let node: FakeNode;
let slot = 0;
beforeAll(async () => {
  database = await createTestDatabase();
  node = await startFakeNode(() => ({ result: slot }));
});
afterAll(() => Promise.all([database.close(), node.close()]));
beforeEach(async () => {
  slot = 500;
  node.answer = () => ({ result: slot });
  await database.prisma.quote.deleteMany();
});

afterEach(() => {
  vi.useRealTimers();
});

const keyOf = (n: number) => keyOfRequest({ method: 'POST', path: '/statement', body: { n } });
const ask = (o: Partial<QuoteWish> & { frozen?: { digest?: string } } = {}, urls = [node.url]) =>
  openQuote(
    { db: database.prisma, rpc: createRpc({ urls, timeoutMs: 60_000 }), ids: randomIds },
    {
      key: keyOf(1),
      priceMicros: 1n,
      payTo: 'till',
      transaction: null,
      wallet: 'wallet',
      digest: 'a',
      frozen: { digest: o.digest ?? 'a' },
      clientHash: 'c',
      mostOpenQuotes: 3,
      ...o,
    },
  );
/** Lets time pass for every quote, in the database, whose clock is the one that counts. */
const pass = (minutes: number) =>
  database.prisma.$executeRaw`
    update quotes set created_at = created_at - ${minutes} * interval '1 minute',
      open_until = open_until - ${minutes} * interval '1 minute',
      keep_until = keep_until - ${minutes} * interval '1 minute'`;

it('is the same for the same list, and another one for another list at the same price', async () => {
  const first = await ask();
  expect((await ask()).id).toBe(first.id);
  const second = await ask({ digest: 'b' });
  expect(second.id).not.toBe(first.id);
  expect((await ask({ digest: 'b' })).id).toBe(second.id);
  // A payment without memo counts for the newest one, so an older one is not offered again.
  expect([first.id, second.id]).not.toContain((await ask()).id);
});

it('is not offered again once it has bought something', async () => {
  const { id } = await ask();
  await database.prisma.payment.create({
    data: {
      id: 'p',
      dialect: 'v2',
      payTo: 'till',
      quoteId: id,
      state: 'used',
      requestSha256: 'r',
      createdAt: new Date(),
      updatedAt: new Date(),
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
  await pass(31);
  await expect(ask({ key: keyOf(9) })).resolves.toBeTruthy();
});

it('notes the highest slot that any node knows, both parties of a transaction, and database times', async () => {
  const ahead = await startFakeNode(() => ({ result: 777 }));
  const refuses = await startFakeNode(() => ({ error: { code: -32_005, message: 'behind' } }));
  try {
    const transaction = { signature: 'tx', payer: 'payer', seller: 'seller' };
    const quote = await ask({ transaction }, [node.url, ahead.url, refuses.url]);
    expect(quote).toMatchObject({ openedSlot: 777n, txSignature: 'tx' });
    expect(quote).toMatchObject({ txPayer: 'payer', txSeller: 'seller' });
    expect(ahead.calls).toEqual([{ method: 'getSlot', params: [{ commitment: 'processed' }] }]);
    const [row] = await database.prisma.$queryRaw<{ recent: boolean; open: number }[]>`
      select created_at between now() - interval '5 seconds' and clock_timestamp() as recent,
        extract(epoch from open_until - created_at)::int as open
      from quotes where id = ${quote.id}`;
    expect(row).toEqual({ recent: true, open: 1_800 });
  } finally {
    await Promise.all([ahead.close(), refuses.close()]);
  }
});

it.each([-2, 2])(
  'has the times of the database while the clock of the process is %s days off',
  async (days) => {
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + days * 24 * 60 * MINUTE });
    const { id } = await ask();
    const [row] = await database.prisma.$queryRaw<{ recent: boolean; left: number }[]>`
    select created_at between now() - interval '1 minute' and clock_timestamp() as recent,
      round(extract(epoch from open_until - clock_timestamp()) / 60)::int as left
    from quotes where id = ${id}`;
    expect(row).toEqual({ recent: true, left: 30 });
    // It is found open, and prolonged when it is about to end.
    expect((await ask()).id).toBe(id);
    await pass(20);
    const again = await ask();
    expect([again.id, again.openUntil.getTime() - again.createdAt.getTime()]).toEqual([
      id,
      expect.closeTo(50 * MINUTE, -4),
    ]);
    // Another of the same client is counted as open, and refused.
    await ask({ key: keyOf(2) });
    await expect(ask({ key: keyOf(3), mostOpenQuotes: 2 })).rejects.toMatchObject({ status: 429 });
  },
);

it('is given without a slot within some seconds while no node answers', async () => {
  node.answer = () => () => undefined;
  const began = performance.now();
  expect((await ask()).openedSlot).toBeNull();
  expect(performance.now() - began).toBeLessThan(30_000);
});

it('asked for again shortly before it ends only ends later: slot, order and terms stay', async () => {
  const first = await ask({ digest: null });
  await pass(10);
  const other = await ask({ digest: null, priceMicros: 2n });
  await pass(10);
  slot = 900;
  const again = await ask({ digest: null, clientHash: 'stranger' });
  const { openUntil, keepUntil, createdAt, ...same } = first;
  expect(again).toMatchObject(same);
  expect(again.createdAt.getTime()).toBe(createdAt.getTime() - 20 * MINUTE);
  expect(again.openUntil.getTime()).toBeGreaterThan(openUntil.getTime() - MINUTE);
  expect(again.keepUntil.getTime()).toBeGreaterThan(keepUntil.getTime() - MINUTE);
  const newest = await database.prisma.quote.findFirst({ orderBy: { createdAt: 'desc' } });
  expect(newest?.id).toBe(other.id);
});

it('is kept for 48 hours after its end by the clock of the database, and then deleted', async () => {
  const { id } = await ask();
  const isKept = async () => (await database.prisma.quote.count({ where: { id } })) === 1;
  await pass(30 + 48 * 60);
  await deleteOldQuotes(database.prisma, 10);
  expect(await isKept()).toBe(true);
  await pass(10);
  await deleteOldQuotes(database.prisma, 10);
  expect(await isKept()).toBe(false);
});

it('is given although PostgreSQL ends its transaction for one that locks the table step by step', async () => {
  const connect = async (begin: string) => {
    const client = new Client({ connectionString: database.url });
    await client.connect();
    await client.query(begin);
    return client;
  };
  // Simulates a new foreign key to quotes, and then a new column. Meanwhile reads continue and
  // writes wait.
  const migration = await connect('begin; lock table quotes in share row exclusive mode');
  const gate = await connect(`begin; select pg_advisory_xact_lock(hashtextextended('c', 1))`);
  const rowsOf = async (sql: string) => (await gate.query(sql)).rows;
  const asked = ask({ key: keyOf(7) });
  await untilLockWaits(rowsOf, 'advisory');
  const altered = migration.query('lock table quotes in access exclusive mode');
  await untilLockWaits(rowsOf);
  await gate.end();
  await altered;
  await migration.end();
  await expect(asked).resolves.toMatchObject({ bodySha256: keyOf(7).bodySha256 });
  expect(await database.prisma.quote.count()).toBe(1);
});
