import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Prisma } from '@/generated/prisma/client';
import { createTestDatabase, type TestDatabase } from '@/tests/harness/create-test-database';
import {
  closeFollowed,
  closeForWallet,
  forgetAwaited,
  notePrepared,
  noteSignature,
  waitsOf,
} from './awaited-payments';
import {
  findQuote,
  isStillOpen,
  listPrepared,
  noteLooked,
  paidInLedger,
  sentForSame,
} from './prepared-quotes';

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

it('a quote that was closed by a refusal stays one that may be paid for, a bought one does not', async () => {
  const at = new Date(now);
  const closed = { mayBeSent: false, preparedAt: at, closedAt: at };
  await database.prisma.quote.createMany({
    data: [row('refused', { ...closed, closedFor: ['payer'] }), row('bought', closed), row('mine')],
  });
  const mine = await database.prisma.quote.findUniqueOrThrow({ where: { id: 'mine' } });
  const found = await sentForSame(database.prisma, mine);
  expect(found.map(({ id }) => id)).toEqual(['refused']);
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
    await notePrepared(database.prisma, {
      id: 'open',
      request: {},
      landsUntil: 5n,
      wallet: 'owner',
      preparedBy: null,
    });
    const [noted] = await database.prisma.$queryRaw<{ recent: boolean }[]>`
      select prepared_at between now() - interval '1 minute' and clock_timestamp() as recent
      from quotes where id = 'open'`;
    expect(noted).toEqual({ recent: true });
  });

  it('the sweep gets what was quiet for half a minute and ended no longer than 48 hours ago', async () => {
    const prepared = (id: string, ms: number, o: { ended?: number } = {}) =>
      row(id, {
        preparedAt: new Date(Date.now() - ms),
        txSignature: id,
        ...(o.ended === undefined ? {} : { openUntil: new Date(Date.now() - o.ended) }),
      });
    await database.prisma.quote.createMany({
      data: [
        prepared('fresh', 10_000),
        prepared('quiet', MINUTE),
        prepared('ended', 48 * HOUR, { ended: 47 * HOUR }),
        prepared('over', 50 * HOUR, { ended: 49 * HOUR }),
        // Asked for again and again, so that it is still open.
        prepared('prolonged', 80 * HOUR),
      ],
    });
    skew();
    const found = await listPrepared(database.prisma, { sweepBegan: new Date(now), limit: 10 });
    expect(found.map(({ id }) => id)).toEqual(['prolonged', 'ended', 'quiet']);
  });
});

describe('the preparation of a stranger', () => {
  const quote = { where: { id: 'page' } };
  const read = () => database.prisma.quote.findUniqueOrThrow(quote);
  const prepare = (landsUntil: bigint | null, preparedBy: string | null = null, wallet = 'owner') =>
    notePrepared(database.prisma, { id: 'page', request: {}, landsUntil, wallet, preparedBy });
  const waits = async (wallet: string) => {
    const found = await findQuote(database.prisma, 'page');
    return found && waitsOf(found, wallet);
  };
  beforeEach(async () => {
    await database.prisma.quote.create({ data: row('page', { mayBeSent: false }) });
  });

  it('does not change what a proven wallet prepared and may have sent', async () => {
    await prepare(100n, 'owner');
    const before = await read();
    expect(before).toMatchObject({ mayBeSent: true, landsUntil: 100n, preparedBy: 'owner' });
    expect(await prepare(900n)).toBe(true);
    expect(await prepare(null)).toBe(true);
    expect(await read()).toEqual(before);
    await prepare(120n, 'owner');
    expect(await read()).toMatchObject({ landsUntil: 120n, preparedBy: 'owner' });
  });

  it('hides no other proven wallet, which may have sent as well', async () => {
    await prepare(100n, 'one');
    await prepare(140n, 'other');
    await prepare(90n, 'one');
    const both = await read();
    expect(both.landsUntil).toBe(140n);
    // Neither waits longer when the other prepares again and again.
    expect(await waits('one')).toMatchObject([{ landsUntil: 100n }]);
    expect(await waits('other')).toMatchObject([{ landsUntil: 140n }]);
    expect(await waits('on')).toEqual([]);
  });

  it('is followed for as long as the first one may land, and the sweep comes when it would have come', async () => {
    await prepare(100n);
    const { preparedAt } = await read();
    await prepare(90n);
    await prepare(110n);
    await prepare(null);
    expect(await read()).toMatchObject({ mayBeSent: true, landsUntil: 100n, preparedBy: null });
    expect((await read()).preparedAt).toEqual(preparedAt);
  });

  it('leaves no trace of an earlier preparer once that payment can no longer land', async () => {
    await prepare(100n, 'owner');
    await database.prisma.quote.update({ ...quote, data: { mayBeSent: false } });
    await prepare(200n);
    expect(await read()).toMatchObject({ landsUntil: 200n, preparedBy: null });
  });

  it('keeps no signed payment back, and takes none off the record', async () => {
    await prepare(100n, 'owner');
    const sent = { id: 'page', wallet: 'owner', signature: 'signed', landsUntil: 300n };
    expect(await noteSignature(database.prisma, sent)).toBe(true);
    expect(await prepare(900n)).toBe(false);
    expect(await read()).toMatchObject({ paymentHint: 'signed', landsUntil: 300n });
    expect(await noteSignature(database.prisma, { ...sent, signature: 'another' })).toBe(false);
  });

  it('and the signature of the other party keep no other wallet back, and end apart', async () => {
    await prepare(null);
    const { prisma } = database;
    const thief = { id: 'page', wallet: 'thief', signature: 'rubbish', landsUntil: 300n };
    expect(await noteSignature(prisma, thief)).toBe(true);
    expect(await waits('owner')).toEqual([]);
    expect(await prepare(null)).toBe(true);
    const own = { ...thief, wallet: 'owner', signature: 'paid', landsUntil: 310n };
    expect(await noteSignature(prisma, own)).toBe(true);
    // A repeat prolongs nothing.
    expect(await noteSignature(prisma, { ...own, landsUntil: 900n })).toBe(true);
    const [wait] = (await waits('owner')) ?? [];
    expect(wait).toEqual({
      quoteId: 'page',
      wallet: 'owner',
      signature: 'paid',
      landsUntil: 310n,
    });
    if (wait) await forgetAwaited(prisma, wait);
    expect(await waits('owner')).toEqual([]);
    expect(await waits('thief')).toMatchObject([{ signature: 'rubbish' }]);
    expect(await read()).toMatchObject({ mayBeSent: true });
  });

  it('counts for every wallet where a process of the release before noted the signature alone', async () => {
    const data = { mayBeSent: true, paymentHint: 'old', landsUntil: 100n };
    await database.prisma.quote.update({ ...quote, data });
    expect(await waits('anybody')).toMatchObject([{ signature: 'old', landsUntil: 100n }]);
    expect(await prepare(null)).toBe(false);
  });
});

describe('a sweep', () => {
  const quiet = (id: string, o: Partial<Prisma.QuoteCreateManyInput> = {}) =>
    row(id, { preparedAt: new Date(Date.now() - MINUTE), ...o });
  const list = async (sweepBegan: Date, named?: string[]) =>
    (
      await listPrepared(database.prisma, {
        sweepBegan,
        limit: 2,
        ...(named ? { named: new Set(named) } : {}),
      })
    ).map(({ id }) => id);

  it('checks the quote first that was not checked for longest, and each once', async () => {
    const old = (ms: number) => new Date(Date.now() - ms);
    await database.prisma.quote.createMany({
      data: [
        quiet('a', { lookedAt: old(1_000) }),
        quiet('b', { lookedAt: old(9_000) }),
        quiet('c'),
      ],
    });
    const began = old(500);
    expect(await list(began)).toEqual(['c', 'b']);
    await noteLooked(database.prisma, [{ id: 'c' }, { id: 'b' }]);
    expect(await list(began)).toEqual(['a']);
  });

  it('finds what the chain names late, but nothing that is closed', async () => {
    const late = { mayBeSent: false };
    await database.prisma.quote.createMany({ data: [quiet('late', late), quiet('done')] });
    await closeFollowed(database.prisma, 'done');
    expect(await list(new Date())).toEqual([]);
    expect(await list(new Date(), ['late', 'done'])).toEqual(['late']);
  });
});

describe('the ledger names a quote as paid', () => {
  type Entry = { amount?: bigint; payer?: string; memo?: string; token?: string; at?: Date };
  const arrived = (signature: string, o: Entry = {}) =>
    database.prisma.ledgerEntry.create({
      data: {
        signature,
        account: 'account',
        wallet: 'till',
        token: o.token ?? 'USDC',
        decimals: 6,
        direction: 'in',
        amountRaw: o.amount ?? 100n,
        beforeRaw: 0n,
        afterRaw: o.amount ?? 100n,
        parties: [{ owner: o.payer ?? 'payer', amount: (o.amount ?? 100n).toString() }],
        memos: [o.memo ?? 'QT'],
        slot: 5n,
        blockTime: new Date(),
        createdAt: o.at ?? new Date(),
      },
    });
  const ended = (o: Partial<Prisma.QuoteCreateManyInput> = {}) =>
    database.prisma.quote.create({
      data: row('QT', {
        priceMicros: 100n,
        txPayer: 'payer',
        txSeller: 'seller',
        mayBeSent: false,
        preparedAt: new Date(Date.now() - 40 * HOUR),
        openUntil: new Date(Date.now() - 39 * HOUR),
        ...o,
      }),
    });
  const paid = () => paidInLedger(database.prisma);
  beforeEach(async () => {
    await database.prisma.ledgerEntry.deleteMany();
    await database.prisma.ledgerRefund.deleteMany();
    await database.prisma.payment.deleteMany();
  });

  it('for two days, although nothing of it is awaited any more', async () => {
    await ended();
    expect(await paid()).toEqual([]);
    await arrived('sig');
    expect(await paid()).toEqual(['QT']);
  });

  it.each<[string, Entry]>([
    ['is dust', { amount: 99n }],
    ['is by a stranger', { payer: 'stranger' }],
    ['has another memo', { memo: 'QTOTHER' }],
    ['is in another token', { token: 'USDT' }],
    ['came more than two days ago', { at: new Date(Date.now() - 49 * HOUR) }],
  ])('but not by what %s', async (_, entry) => {
    await ended();
    await arrived('sig', entry);
    expect(await paid()).toEqual([]);
  });

  it.each<[string, Partial<Prisma.QuoteCreateManyInput>]>([
    ['was closed', { closedAt: new Date() }],
    ['was closed for the payer', { closedFor: ['payer'] }],
    ['no page prepared', { preparedAt: null }],
  ])('but none that %s', async (_, quote) => {
    await ended(quote);
    await arrived('sig');
    expect(await paid()).toEqual([]);
    await arrived('of the seller', { payer: 'seller' });
    expect(await paid()).toEqual(quote.closedFor ? ['QT'] : []);
  });

  it('but not by what was refunded, or has bought something', async () => {
    await ended();
    await arrived('sig');
    const refund = { refundSignature: 'back', paymentSignature: 'sig', token: 'USDC' };
    const more = { amountRaw: 1n, fromWallet: 'till', fromLedger: false, recordedAt: new Date() };
    await database.prisma.ledgerRefund.create({ data: { ...refund, ...more } });
    expect(await paid()).toEqual([]);
    await database.prisma.ledgerRefund.deleteMany();
    const times = { createdAt: new Date(), updatedAt: new Date() };
    const terms = {
      dialect: 'documented',
      payTo: 'till',
      requestSha256: 'r',
      state: 'used',
    } as const;
    await database.prisma.payment.create({
      data: { id: 'P', signature: 'sig', ...terms, ...times },
    });
    expect(await paid()).toEqual([]);
  });
});

describe('a refusal of one wallet’s payment', () => {
  const close = (wallet: string) =>
    closeForWallet(database.prisma, { id: 'page', wallet, payers: ['payer', 'seller'] });
  const sign = (wallet: string) =>
    noteSignature(database.prisma, { id: 'page', wallet, signature: wallet, landsUntil: 9n });
  const read = () => findQuote(database.prisma, 'page');
  beforeEach(async () => {
    await database.prisma.quote.create({ data: row('page', { mayBeSent: false }) });
  });

  it('closes the quote for that wallet alone, and a payment that another one signed is still awaited', async () => {
    await sign('seller');
    await sign('payer');
    await close('seller');
    expect(await read()).toMatchObject({
      closedAt: null,
      closedFor: ['seller'],
      mayBeSent: true,
      awaited: [{ wallet: 'payer', signature: 'payer' }],
    });
    expect([await sign('seller'), await sign('payer')]).toEqual([false, true]);
  });

  it('ends what was awaited of it, and all once every wallet that may pay was refused', async () => {
    await sign('seller');
    await close('seller');
    expect(await read()).toMatchObject({ closedAt: null, mayBeSent: false, awaited: [] });
    await sign('payer');
    await close('payer');
    expect(await read()).toMatchObject({ closedAt: expect.any(Date), mayBeSent: false });
  });

  it('is deleted once a page prepares the payment of that wallet again', async () => {
    await close('seller');
    const prepared = { id: 'page', request: {}, landsUntil: null, preparedBy: null };
    await notePrepared(database.prisma, { ...prepared, wallet: 'payer' });
    expect(await read()).toMatchObject({ closedFor: ['seller'] });
    await notePrepared(database.prisma, { ...prepared, wallet: 'seller' });
    expect(await read()).toMatchObject({ closedFor: [] });
  });
});
