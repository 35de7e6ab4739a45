import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Prisma } from '@/generated/prisma/client';
import { createTestDatabase, type TestDatabase } from '@/tests/harness/create-test-database';
import { hasRivalQuote, keyOfRequest, quotesForPayment } from './quotes';
import { type FeePayment } from './read-fee-payment';

const MINUTE = 60_000;
const T0 = Date.UTC(2026, 10, 28, 12);
const at = (ms: number) => new Date(T0 + ms);
const key = keyOfRequest({ method: 'POST', path: '/statement', body: { mine: true } });
let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.close());
beforeEach(() => database.prisma.quote.deleteMany());

let made = 0;
type Row = Partial<Prisma.QuoteCreateManyInput>;
/** A statement's quote of another request of the payer, at 1 USDC, a minute before the payment. */
const row = (o: Row = {}): Prisma.QuoteCreateManyInput => ({
  id: `Q${(made += 1)}`,
  method: 'POST',
  path: '/statement',
  bodySha256: `body ${made}`,
  priceMicros: 1_000_000n,
  payTo: 'till',
  wallet: 'payer',
  frozen: {},
  openedSlot: 850n,
  createdAt: at(-MINUTE),
  openUntil: at(29 * MINUTE),
  keepUntil: at(3_000 * MINUTE),
  ...o,
});
const open = (...rows: Row[]) =>
  database.prisma.quote.createMany({ data: rows.map((one) => row(one)) });
const payment: FeePayment = {
  signature: 'sig',
  slot: 1_000n,
  blockTime: at(0),
  payer: 'payer',
  payTo: 'till',
  amountMicros: 1_000_000n,
  memos: [],
};
const isRival = async (...rows: Row[]) => {
  await database.prisma.quote.deleteMany();
  await open(...rows);
  return hasRivalQuote(database.prisma, { key, payment });
};

describe('a rival of a payment without memo', () => {
  it.each<[string, boolean, Row]>([
    ['of its payer at its price', true, {}],
    ['of its payer at another price', false, { priceMicros: 1_000_001n }],
    ['of another wallet', false, { wallet: 'other' }],
    ['of a receipt whose payer it is', true, { wallet: null, txSignature: 't', txPayer: 'payer' }],
    [
      'of a receipt whose seller it is',
      true,
      { wallet: null, txSignature: 't', txPayer: 'x', txSeller: 'payer' },
    ],
    [
      'of a receipt that another wallet asked for by headers',
      true,
      { wallet: 'x', txSignature: 't', txPayer: 'payer', txSeller: 'x' },
    ],
    [
      'of a receipt of two others',
      false,
      { wallet: null, txSignature: 't', txPayer: 'x', txSeller: 'y' },
    ],
    ['of a receipt with no parties on record', true, { wallet: null, txSignature: 't' }],
    ['opened in its own slot', true, { openedSlot: 1_000n, createdAt: at(300) }],
    ['opened in a later slot', false, { openedSlot: 1_001n, createdAt: at(300) }],
    ['opened earlier by the times alone', true, { openedSlot: 1_001n }],
    ['without a slot, within two minutes', true, { openedSlot: null, createdAt: at(2 * MINUTE) }],
    ['without a slot, after that', false, { openedSlot: null, createdAt: at(2 * MINUTE + 1) }],
    ['that ended two minutes before', true, { openUntil: at(-2 * MINUTE) }],
    ['that ended earlier', false, { openUntil: at(-2 * MINUTE - 1) }],
    ['that is its own request', false, { path: key.path, bodySha256: key.bodySha256 }],
  ])('is one %s: %s', async (_, expected, quote) => {
    expect(await isRival(quote)).toBe(expected);
  });

  it('is found behind any number of quotes at other prices, and distinguished from all of them', async () => {
    const flood = Array.from({ length: 400 }, (_, n) => ({
      priceMicros: 3_000_000n + BigInt(n % 3),
      createdAt: at(-1_000 + (n % 900)),
    }));
    expect(await isRival(...flood)).toBe(false);
    expect(await isRival({ createdAt: at(-20 * MINUTE) }, ...flood)).toBe(true);
  });
});

it('quotes of a request are all found for a payment, however many there are of it', async () => {
  const own = { path: key.path, bodySha256: key.bodySha256 };
  const flood = Array.from({ length: 300 }, (_, n) => ({ ...own, createdAt: at(n) }));
  await open({ ...own, id: 'asked' }, { ...own, id: 'ended', openUntil: at(-10 * MINUTE) });
  await open(...flood, { id: 'foreign' });
  const found = async (ids: string[]) =>
    (await quotesForPayment(database.prisma, { key, payment, ids })).map(({ id }) => id);
  const all = await found([]);
  expect(all).toHaveLength(301);
  expect(all.at(-1)).toBe('asked');
  expect(await found(['ended', 'foreign'])).toHaveLength(302);
});

const keyOf = (body: object, path = '/mint') => keyOfRequest({ method: 'POST', path, body });

it('a request is the same whatever the order of its fields, and whether absent ones are named', () => {
  expect(keyOf({ a: 1, b: 'é' })).toEqual(keyOf({ b: 'é', a: 1, c: undefined }));
});

it('a request is another one with any other field, value or path', () => {
  const keys = [
    keyOf({ a: 1 }),
    keyOf({ a: 2 }),
    keyOf({ a: 1, b: 1 }),
    keyOf({ a: 1 }, '/statement'),
  ];
  expect(new Set(keys.map(({ requestSha256 }) => requestSha256)).size).toBe(4);
});
