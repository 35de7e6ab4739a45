import { afterAll, beforeAll, beforeEach, expect, it, vi } from 'vitest';
import * as lookForPaymentModule from './look-for-payment';
import * as readFeePaymentModule from '@/server/payments/read-fee-payment';
import * as leftToSpendModule from './left-to-spend';
import * as refusePaymentModule from './refuse-payment';
import { standIn } from '@/tests/harness/stand-in';
import type { Prisma } from '@/generated/prisma/client';
import { ServiceError } from '@/server/errors';
import type { FeePayment } from '@/server/payments/read-fee-payment';
import { keyOfRequest, type RequestKey } from '@/server/payments/quotes';
import { trusted } from '@/server/trusted';
import { createTestDatabase, type TestDatabase } from '@/tests/harness/create-test-database';
import type { Call } from '../call';
import { noteLatePayment } from './note-late-payment';
import type { Purchase } from './purchase';
import { takeDocumented } from './take-documented';

const MINUTE = 60_000;
const NOW = Date.now();
const at = (ms: number) => new Date(NOW + ms);
/** The payment on chain, and the rest of it after its refunds. */
const chain: { payment: FeePayment; isAlone?: true; leftMicros: bigint | null } = {
  payment: {
    signature: 'sig',
    slot: 1_000n,
    blockTime: at(-MINUTE),
    payer: 'V',
    payTo: 'till',
    amountMicros: 1_000_000n,
    memos: [],
  },
  leftMicros: null,
};
/** Asks once, because nothing changes here while one waits. */
const awaitFeePayment = vi.fn(({ look }: { look: () => unknown }) => look());
standIn(lookForPaymentModule, {
  lookForPayment: async () => ({ state: 'paid', payment: chain.payment, isAlone: chain.isAlone }),
});
standIn(readFeePaymentModule, {
  awaitFeePayment,
});
const leftToSpend = vi.fn();
standIn(leftToSpendModule, { leftToSpend });
standIn(refusePaymentModule, {
  paymentDue: async (_ctx: unknown, _purchase: unknown, o: { code: 'payment_invalid' }) =>
    new ServiceError(o.code, 'refused'),
});

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.close());
beforeEach(async () => {
  await database.prisma.payment.deleteMany();
  await database.prisma.quote.deleteMany();
  chain.leftMicros = null;
  delete chain.isAlone;
  awaitFeePayment.mockClear();
  leftToSpend.mockReset();
  leftToSpend.mockImplementation(async () => chain.leftMicros ?? chain.payment.amountMicros);
});

let made = 0;
const next = (prefix: string) => `${prefix}${String((made += 1)).padStart(18, '0')}`;
const MINT = keyOfRequest({ method: 'POST', path: '/mint', body: { transaction: 'of the thief' } });
const STATEMENT = keyOfRequest({ method: 'POST', path: '/statement', body: { wallet: 'V' } });

async function openQuote(key: RequestKey, o: Partial<Prisma.QuoteCreateInput> = {}) {
  const { method, path, bodySha256 } = key;
  return database.prisma.quote.create({
    data: {
      id: next('QT'),
      method,
      path,
      bodySha256,
      priceMicros: 1_000_000n,
      payTo: 'till',
      frozen: {},
      openedSlot: 900n,
      createdAt: at(-2 * MINUTE),
      openUntil: at(28 * MINUTE),
      keepUntil: at(2_880 * MINUTE),
      ...o,
    },
  });
}

const call = trusted<Call>(
  {
    actor: { kind: 'anyone', id: 'request', client: '192.0.2.1' },
    service: {
      get db() {
        return database.prisma;
      },
      clock: { now: () => at(0) },
      ids: { paymentId: () => next('PAY') },
    },
  },
  'all that is read of it',
);
const statement = (o: object = {}): Purchase<string> =>
  trusted<Purchase<string>>(
    {
      key: STATEMENT,
      caller: null,
      proofText: 'text',
      excludes: [],
      bare: 'only_request_of_wallet',
      offered: async () => ({ priceMicros: 1_000_000n }),
      contains: async () => false,
      mayPay: () => undefined,
      isGone: async () => false,
      reserve: async () => ({ reserved: 'it' }),
      ...o,
    },
    'all that is called of it',
  );
const present = (o: object = {}, by = call) =>
  takeDocumented(by, statement(o), { dialect: 'documented', signature: 'sig' }).then(
    ({ state }) => state,
    (error: unknown) => (error instanceof ServiceError ? error.code : error),
  );

it('a payment that a stranger presents with a request of his own stays as good as it was', async () => {
  await openQuote(MINT, { priceMicros: 5_000_000n, txSignature: 'tx', txPayer: 'thief' });
  await openQuote(STATEMENT, { wallet: 'V' });
  expect(await present({ key: MINT, bare: 'proven_only' })).toBe('payment_too_little');
  expect(await database.prisma.payment.findMany()).toMatchObject([
    { state: 'unused', requestSha256: '' },
  ]);
  expect(await present()).toBe('paid');
});

it('it is not bound by a request that comes too late for an existing receipt', async () => {
  await openQuote(MINT, { priceMicros: 5_000_000n, txSignature: 'tx', txPayer: 'thief' });
  await openQuote(STATEMENT, { wallet: 'V' });
  const presented = { dialect: 'documented', signature: 'sig' } as const;
  await noteLatePayment(call, { key: MINT, presented, excludes: [] });
  expect(await database.prisma.payment.count({ where: { state: 'unused' } })).toBe(1);
  expect(await present()).toBe('paid');
});

it('its payer binds it by proof, so that nobody else can use it', async () => {
  await openQuote(MINT, { priceMicros: 5_000_000n, txSignature: 'tx', txPayer: 'V' });
  await openQuote(STATEMENT, { wallet: 'V' });
  expect(await present({ key: MINT, bare: 'proven_only', caller: 'V' })).toBe('payment_too_little');
  expect(await database.prisma.payment.findFirst()).toMatchObject({
    requestSha256: MINT.requestSha256,
  });
  expect(await present()).toBe('payer_proof_needed');
});

it('a partly refunded payment counts for its proven payer alone', async () => {
  await openQuote(STATEMENT, { wallet: 'V', priceMicros: 400_000n });
  chain.leftMicros = 400_000n;
  expect(await present()).toBe('payer_proof_needed');
  expect(await present({ caller: 'V' })).toBe('paid');
});

it('buys no list that contains it, though no quote says what is listed', async () => {
  await openQuote(MINT, { priceMicros: 5_000_000n, txSignature: 'tx', txPayer: 'V' });
  await present({ key: MINT, bare: 'proven_only', caller: 'V' });
  const listed = async (quoteId: string | null) => quoteId === null;
  expect(await present({ caller: 'V', contains: listed })).toBe('payment_is_the_transaction');
  expect(await present({ caller: 'V' })).toBe('paid');
});

it('with the memo of an offer by a wallet that may not pay for it buys nothing, and stays that wallet’s', async () => {
  const { id } = await openQuote(STATEMENT, { wallet: 'another' });
  chain.payment = { ...chain.payment, memos: [id] };
  const mayPay = () => {
    throw new ServiceError('not_a_participant', 'it may not');
  };
  const reserve = vi.fn(async () => ({ reserved: 'it' }));
  expect(await present({ mayPay, reserve })).toBe('not_a_participant');
  expect(reserve).not.toHaveBeenCalled();
  expect(await database.prisma.payment.findMany()).toMatchObject([
    { state: 'unused', payer: 'V', reason: 'not_a_participant' },
  ]);
  chain.payment = { ...chain.payment, memos: [] };
});

it.each([
  ['too little', { key: MINT, bare: 'proven_only', caller: 'V' }],
  ['of no participant', { mayPay: refuse }],
  ['of its own list', { caller: 'V', contains: async () => true }],
])('that one node alone shows as %s is neither turned down nor noted', async (_, asked) => {
  await openQuote(MINT, { priceMicros: 5_000_000n, txSignature: 'tx', txPayer: 'V' });
  await openQuote(STATEMENT, { wallet: 'V' });
  chain.isAlone = true;
  expect(await present(asked)).toBe('payment_not_seen_yet');
  expect(await database.prisma.payment.count()).toBe(0);
});

it('that one node alone shows buys nothing before a second one does, with or without its memo', async () => {
  const { id } = await openQuote(STATEMENT, { wallet: 'V' });
  const reserve = vi.fn(async () => ({ reserved: 'it' }));
  for (const memos of [[], [id]]) {
    chain.payment = { ...chain.payment, memos };
    chain.isAlone = true;
    expect(await present({ reserve, caller: 'V' })).toBe('payment_not_seen_yet');
  }
  chain.payment = { ...chain.payment, memos: [] };
  expect(reserve).not.toHaveBeenCalled();
  expect(await database.prisma.payment.count()).toBe(0);
  // The payer, too, rests on that node's word: no refund and no debit is held against it.
  expect(leftToSpend).not.toHaveBeenCalled();
  delete chain.isAlone;
  expect(await present({ reserve })).toBe('paid');
});

it('a sweep does not wait for a payment that only one node shows, because others are behind it', async () => {
  await openQuote(STATEMENT, { wallet: 'V' });
  const sweep: Call = {
    ...call,
    service: call.service,
    actor: { kind: 'job', id: 'j', client: '' },
  };
  chain.isAlone = true;
  expect(await present({}, sweep)).toBe('payment_not_seen_yet');
  expect(awaitFeePayment).not.toHaveBeenCalled();
  expect(await present()).toBe('payment_not_seen_yet');
  expect(awaitFeePayment).toHaveBeenCalledOnce();
});

function refuse(): never {
  throw new ServiceError('not_a_participant', 'it may not');
}
