import { describe, expect, it } from 'vitest';
import type { Quote } from '@/generated/prisma/client';
import { judgePayment, type JudgedPayment } from './judge-payment';
import { keyOfRequest } from './quotes';

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
const T0 = Date.UTC(2026, 10, 28, 12);
const at = (ms: number) => new Date(T0 + ms);
/** The slot at a moment: one begins every 400 ms. */
const slotAt = (moment: Date) => 1_000_000n + BigInt(Math.floor((moment.getTime() - T0) / 400));
const key = keyOfRequest({ method: 'POST', path: '/mint', body: { a: 1 } });
const A = 'QT000000000000000000';
const B = 'QT111111111111111111';
const FOREIGN = 'QT222222222222222222';

/** Open from T0 for 30 minutes, at 0.10 USDC. */
const quote = (o: Partial<Quote> = {}): Quote => ({
  id: A,
  method: 'POST',
  path: '/mint',
  bodySha256: key.bodySha256,
  priceMicros: 100_000n,
  payTo: 'till',
  txSignature: 'tx',
  wallet: null,
  frozen: {},
  clientHash: null,
  paymentHint: null,
  txPayer: 'payer',
  txSeller: 'seller',
  request: null,
  preparedAt: null,
  preparedBy: null,
  mayBeSent: false,
  landsUntil: null,
  lookedAt: null,
  closedAt: null,
  closedFor: [],
  openedSlot: slotAt(o.createdAt ?? at(0)),
  createdAt: at(0),
  openUntil: at(30 * MINUTE),
  keepUntil: at(3 * DAY),
  ...o,
});
type Change = Partial<Omit<JudgedPayment, 'payment'>> & {
  payment?: Partial<JudgedPayment['payment']>;
};

/** A payment of 0.10 USDC with the memo of the one quote, a minute after it was given. */
const judge = ({ payment, ...o }: Change = {}) =>
  judgePayment({
    payment: {
      signature: 'sig',
      slot: slotAt(payment?.blockTime ?? at(MINUTE)),
      payer: 'payer',
      payTo: 'till',
      amountMicros: 100_000n,
      blockTime: at(MINUTE),
      memos: [A],
      ...payment,
    },
    known: null,
    key,
    priceMicros: 100_000n,
    own: [quote()],
    named: [quote()],
    isNamedGone: false,
    hasRival: null,
    caller: null,
    now: at(2 * MINUTE),
    ...o,
  });
const known = (o: object = {}) => ({
  state: 'unused' as const,
  dialect: 'documented',
  requestSha256: 'other',
  quoteId: null,
  priceMicros: null,
  ...o,
});
const code = (judgement: ReturnType<typeof judge>) =>
  judgement.verdict === 'refused' ? judgement.code : judgement.verdict;

describe('a payment with the memo of a quote', () => {
  it('buys its request, for anyone who presents it', () => {
    for (const caller of [null, 'payer', 'somebody'])
      expect(judge({ caller })).toMatchObject({ verdict: 'buys', priceMicros: 100_000n });
  });

  it.each([
    ['two minutes before the quote', -2 * MINUTE, 'buys'],
    ['more than two minutes before', -2 * MINUTE - 1, 'payment_quote_closed'],
    ['two minutes after its end', 32 * MINUTE, 'buys'],
    ['more than two minutes after', 32 * MINUTE + 1, 'payment_quote_closed'],
  ])('and a block %s is %s', (_, ms, expected) => {
    expect(code(judge({ payment: { blockTime: at(ms) }, now: at(40 * MINUTE) }))).toBe(expected);
  });

  it('is judged by its block however late it comes, up to 48 hours', () => {
    expect(code(judge({ now: at(MINUTE + 2 * DAY) }))).toBe('buys');
    expect(code(judge({ now: at(MINUTE + 2 * DAY + 1) }))).toBe('payment_too_old');
  });

  it('keeps the price of its quote when the price has changed', () => {
    const newer = quote({ id: B, priceMicros: 300_000n, createdAt: at(30_000) });
    expect(judge({ own: [newer, quote()], priceMicros: 300_000n })).toMatchObject({
      verdict: 'buys',
      quote: { id: A },
      priceMicros: 100_000n,
    });
  });

  it('of another request, or of two, buys nothing', () => {
    const named = [quote({ id: FOREIGN })];
    const foreign = judge({ payment: { memos: [FOREIGN] }, named, caller: 'payer' });
    expect(foreign).toMatchObject({ code: 'payment_for_another_request', isOurs: false });
    const both = judge({ payment: { memos: [A, FOREIGN] }, named: [quote(), ...named] });
    expect(both).toMatchObject({ code: 'payment_for_another_request', isOurs: true });
  });

  it('that is no longer kept is still its payer’s, because nobody else writes such memos', () => {
    const late = { now: at(3 * DAY), own: [], named: [] };
    expect(judge(late)).toMatchObject({ code: 'payment_too_old', isOurs: true });
    expect(judge({ own: [], named: [] })).toMatchObject({
      code: 'payment_for_another_request',
      isOurs: true,
    });
  });

  it('of less than its price is refused, of more is taken', () => {
    expect(judge({ payment: { amountMicros: 99_999n } })).toMatchObject({
      code: 'payment_too_little',
      isOurs: true,
    });
    expect(code(judge({ payment: { amountMicros: 100_001n } }))).toBe('buys');
  });
});

describe('a payment without memo', () => {
  const bare = (o: Change = {}) =>
    judge({ caller: 'payer', ...o, payment: { memos: ['thanks', 'ab12'], ...o.payment } });

  it('counts for its payer alone, for the newest quote at its price that was open in its block', () => {
    expect(code(bare())).toBe('buys');
    expect(code(bare({ caller: null }))).toBe('proof_needed');
    expect(code(bare({ caller: 'seller' }))).toBe('proof_needed');
    // A stranger may have opened the newer one: the quote that its payer asked for stays for sale.
    const dearer = quote({ id: B, priceMicros: 300_000n, createdAt: at(30_000) });
    expect(bare({ own: [dearer, quote()] })).toMatchObject({ verdict: 'buys', quote: { id: A } });
    const newer = quote({ id: B, createdAt: at(30_000) });
    expect(bare({ own: [newer, quote()] })).toMatchObject({ verdict: 'buys', quote: { id: B } });
    const later = quote({ id: B, priceMicros: 300_000n, createdAt: at(10 * MINUTE) });
    expect(bare({ own: [later, quote()] })).toMatchObject({ verdict: 'buys', quote: { id: A } });
  });

  it.each([
    [99_999n, 'payment_too_little'],
    [100_001n, 'payment_not_exact'],
  ])('of %s instead of 100000 is %s', (amountMicros, expected) => {
    expect(code(bare({ payment: { amountMicros } }))).toBe(expected);
  });

  it('is nothing without a quote in its block, and nothing after 48 hours', () => {
    expect(code(bare({ own: [] }))).toBe('payment_without_quote');
    expect(code(bare({ payment: { blockTime: at(-5 * MINUTE) } }))).toBe('payment_without_quote');
    expect(code(bare({ now: at(MINUTE + 2 * DAY + 1) }))).toBe('payment_too_old');
  });
});

describe('a payment without memo and without proof of wallet', () => {
  const bare = (o: Change = {}) =>
    judge({ payment: { memos: [] }, named: [], hasRival: false, ...o });

  it('buys while it can be for one request alone, where the route allows that', () => {
    expect(code(bare({ hasRival: null }))).toBe('proof_needed');
    expect(code(bare({ hasRival: false }))).toBe('buys');
    expect(code(bare({ hasRival: true }))).toBe('proof_needed');
    expect(code(bare({ hasRival: true, caller: 'payer' }))).toBe('buys');
  });

  it('counts for the newest that was open in its block, and for no older one', () => {
    const newer = quote({ id: FOREIGN, createdAt: at(5 * MINUTE), priceMicros: 300_000n });
    const paid = (minutes: number, amountMicros: bigint) =>
      bare({
        own: [newer, quote()],
        now: at(40 * MINUTE),
        payment: { memos: [], blockTime: at(minutes * MINUTE), amountMicros },
      });
    expect(paid(9, 300_000n)).toMatchObject({ verdict: 'buys', quote: { id: FOREIGN } });
    expect(code(paid(9, 100_000n))).toBe('payment_too_little');
    expect(code(paid(6, 100_000n))).toBe('payment_too_little');
    expect(paid(4, 100_000n)).toMatchObject({ verdict: 'buys', quote: { id: A } });
    // Made before the newer one was opened, and by chance at its price.
    expect(code(paid(4, 300_000n))).toBe('payment_not_exact');
  });

  it('at the price of several counts for the newest that was opened before its block', () => {
    const newer = quote({ id: FOREIGN, createdAt: at(5 * MINUTE) });
    const paid = (minutes: number) =>
      bare({
        own: [newer, quote()],
        payment: { memos: [], blockTime: at(minutes * MINUTE) },
      });
    expect(paid(4)).toMatchObject({ quote: { id: A } });
    expect(paid(6)).toMatchObject({ quote: { id: FOREIGN } });
  });

  it.each([
    ['five slots before its quote', -5n, 'payment_without_quote', 'payment_without_quote'],
    ['one slot before it', -1n, 'payment_without_quote', 'payment_without_quote'],
    ['in its slot', 0n, 'proof_needed', 'buys'],
    ['three slots later', 3n, 'proof_needed', 'buys'],
    ['four slots later', 4n, 'buys', 'buys'],
  ])('and made %s is decided by slots, not by times', (_, slots, unproven, proven) => {
    const own = [quote({ createdAt: at(1_000) })];
    const slot = slotAt(at(1_000)) + slots;
    const payment = { memos: [], slot, blockTime: at(0) };
    expect(code(bare({ own, payment }))).toBe(unproven);
    expect(code(bare({ own, payment, caller: 'payer' }))).toBe(proven);
  });

  it('has two minutes of slack at the end of a quote, and none at its beginning', () => {
    const paid = (ms: number, o: Change = {}) =>
      code(bare({ ...o, now: at(40 * MINUTE), payment: { memos: [], blockTime: at(ms) } }));
    expect(paid(32 * MINUTE)).toBe('buys');
    expect(paid(32 * MINUTE + 1)).toBe('payment_without_quote');
    expect(paid(32 * MINUTE + 1, { caller: 'payer' })).toBe('payment_without_quote');
    expect(paid(-1)).toBe('payment_without_quote');
  });

  it('never counts for a quote that no node gave a slot, but for that of its proven payer', () => {
    const own = [quote({ openedSlot: null })];
    expect(code(bare({ own }))).toBe('proof_needed');
    expect(code(bare({ own, caller: 'seller' }))).toBe('proof_needed');
    expect(code(bare({ own, caller: 'payer' }))).toBe('buys');
    expect(code(judge({ own }))).toBe('buys');
  });

  it('is not for a quote of minutes later, though all nodes lag as far', () => {
    const own = [quote({ createdAt: at(4 * MINUTE), openedSlot: slotAt(at(0)) })];
    expect(code(bare({ own, hasRival: false }))).toBe('proof_needed');
  });

  it('and known as one of another request takes a proof of wallet', () => {
    for (const state of [known(), known({ dialect: 'v2', requestSha256: 'signed for that' })])
      expect(code(bare({ known: state }))).toBe('proof_needed');
    expect(code(bare({ known: known({ requestSha256: key.requestSha256 }) }))).toBe('buys');
  });
});

describe('a payment that bought nothing', () => {
  const other = { payment: { memos: [FOREIGN] }, named: [quote({ id: FOREIGN })] };
  const unused = (o: Change = {}) => judge({ ...other, known: known(), caller: 'payer', ...o });

  it('buys what costs no more, for its payer alone, within 90 days', () => {
    expect(unused()).toEqual({ verdict: 'buys', quote: null, priceMicros: 100_000n });
    expect(code(unused({ caller: 'seller' }))).toBe('proof_needed');
    expect(code(unused({ caller: null }))).toBe('proof_needed');
    expect(code(unused({ priceMicros: 100_001n }))).toBe('payment_too_little');
    expect(code(unused({ now: at(MINUTE + 90 * DAY) }))).toBe('buys');
    expect(code(unused({ now: at(MINUTE + 90 * DAY + 1) }))).toBe('payment_too_old');
  });

  it('is one also when the ledger has not seen it and its quote is gone', () => {
    expect(code(judge({ ...other, isNamedGone: true, caller: 'payer' }))).toBe('buys');
    expect(code(judge({ ...other, isNamedGone: false, caller: 'payer' }))).toBe(
      'payment_for_another_request',
    );
  });

  it('still buys its own request by memo without any proof', () => {
    expect(code(judge({ known: known() }))).toBe('buys');
  });

  it('and that we settled buys the very request it was signed for, and no other', () => {
    const settled = { dialect: 'v1', quoteId: A, priceMicros: 100_000n };
    const mine = known({ ...settled, requestSha256: key.requestSha256 });
    const bare = { payment: { memos: ['ab12'] }, caller: null };
    expect(judge({ ...bare, known: mine })).toMatchObject({ verdict: 'buys', quote: { id: A } });
    expect(code(judge({ ...bare, known: known(settled) }))).toBe('proof_needed');
    for (const now of [at(3 * DAY), at(2 * MINUTE)])
      expect(code(judge({ known: mine, now, payment: { blockTime: at(-MINUTE * 9) } }))).toBe(
        'buys',
      );
    const sent = known({ requestSha256: key.requestSha256, quoteId: A, priceMicros: 100_000n });
    expect(code(judge({ ...bare, known: sent }))).toBe('proof_needed');
  });

  it('and that we settled buys at its old price only while the request costs no more', () => {
    const settled = { dialect: 'v1', quoteId: A, priceMicros: 100_000n };
    const mine = known({ ...settled, requestSha256: key.requestSha256 });
    const later = (o: Change = {}) =>
      judge({
        own: [],
        named: [],
        known: mine,
        now: at(4 * DAY),
        ...o,
        payment: { memos: ['ab12'], ...o.payment },
      });
    expect(later()).toEqual({ verdict: 'buys', quote: null, priceMicros: 100_000n });
    expect(later({ priceMicros: 50_000n })).toMatchObject({ priceMicros: 100_000n });
    expect(code(later({ priceMicros: 500_000n }))).toBe('proof_needed');
    expect(code(later({ priceMicros: 500_000n, caller: 'payer' }))).toBe('payment_too_little');
    // Its quote is kept: the payment buys what that quote offered.
    expect(later({ own: [quote()], priceMicros: 500_000n })).toMatchObject({ quote: { id: A } });
  });
});
