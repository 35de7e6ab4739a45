import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '@/tests/harness/create-test-database';
import {
  CLAIM_LEASE_MS,
  claimPayment,
  type ClaimWish,
  recordFailed,
  recordSent,
  recordSettled,
  releaseClaim,
  usePayment,
} from './claim-payment';
import { freePayment, holdPayment, isHeldForRefund, noteUnused } from './hold-payment';
import { claimSent, forgetUnsigned, freeInterrupted } from './recover-payments';

const T0 = Date.UTC(2026, 10, 28, 12);
const at = (ms: number) => new Date(T0 + ms);
const SIGNED = { signature: 'sig', wire: new Uint8Array(3), lastValidBlockHeight: 9n, now: at(1) };
let database: TestDatabase;

beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.close());
beforeEach(() => database.prisma.payment.deleteMany());

let made = 0;
const wish = (o: Partial<ClaimWish> = {}): ClaimWish => ({
  id: `PAY${(made += 1)}`,
  dialect: 'documented',
  name: { signature: 'sig' },
  payer: 'payer',
  payTo: 'till',
  amountMicros: 100_000n,
  priceMicros: 100_000n,
  quoteId: 'QT1',
  requestSha256: 'this',
  slot: 5n,
  blockTime: at(0),
  holder: 'request',
  now: at(0),
  ...o,
});
const exact = (o: Partial<ClaimWish> = {}) =>
  wish({ dialect: 'v2', name: { messageHash: 'hash' }, slot: null, blockTime: null, ...o });
const claim = (o: ClaimWish) => claimPayment(database.prisma, o);
async function held(o: ClaimWish) {
  const got = await claim(o);
  if (!got) throw new Error('the payment was not claimed');
  return got;
}
const row = () => database.prisma.payment.findFirstOrThrow();
const bought = { subjectId: 'R1', answer: { ok: true }, now: at(2) };

describe('a claim on a payment', () => {
  it('is given to one of many that ask at once', async () => {
    const all = await Promise.all(
      Array.from({ length: 20 }, (_, n) => claim(wish({ holder: `request ${n}` }))),
    );
    expect(all.filter(Boolean)).toHaveLength(1);
    expect(await database.prisma.payment.count()).toBe(1);
  });

  it('goes to a repeat of the request when its lease has run out, and the old one writes nothing', async () => {
    const old = await held(wish());
    expect(await claim(wish({ now: at(CLAIM_LEASE_MS - 1) }))).toBeNull();
    expect(await claim(wish({ now: at(CLAIM_LEASE_MS), requestSha256: 'other' }))).toBeNull();
    const next = await held(wish({ now: at(CLAIM_LEASE_MS) }));
    expect(next.id).toBe(old.id);
    expect(await usePayment(database.prisma, old, bought)).toBe(false);
    expect(await usePayment(database.prisma, next, bought)).toBe(true);
    await releaseClaim(database.prisma, next, { reason: 'late', now: at(3) });
    expect(await row()).toMatchObject({ state: 'used', subjectId: 'R1' });
    expect(await claim(wish({ now: at(10 * CLAIM_LEASE_MS) }))).toBeNull();
  });

  it('is given to nobody while the operator holds the payment for its refund, for a day at most', async () => {
    await releaseClaim(database.prisma, await held(wish()), { reason: 'late', now: at(1) });
    const { id } = await row();
    expect(await holdPayment(database.prisma, { id, isHeld: true, now: at(2) })).toBe(true);
    const late = at(24 * 3_600_000 + 2);
    expect(await claim(wish({ now: new Date(late.getTime() - 1) }))).toBeNull();
    expect(isHeldForRefund(await row(), late)).toBe(false);
    await held(wish({ now: late }));
    expect(await holdPayment(database.prisma, { id, isHeld: true, now: late })).toBe(false);
  });

  it('is forgotten when nothing was signed, and kept when something was sent', async () => {
    const first = await held(exact());
    await releaseClaim(database.prisma, first, { reason: 'no', now: at(1) });
    expect(await database.prisma.payment.count()).toBe(0);
    const second = await held(exact());
    expect(await recordSent(database.prisma, second, SIGNED)).toBe(true);
    await releaseClaim(database.prisma, second, { reason: 'pending', now: at(2) });
    expect(await row()).toMatchObject({ state: 'sent', leaseUntil: null, signature: 'sig' });
    expect(await claim(exact({ requestSha256: 'other' }))).toBeNull();
    const again = await held(exact());
    expect(await usePayment(database.prisma, again, bought)).toBe(false);
    expect(await recordSettled(database.prisma, again, { slot: 7n, now: at(3) })).toBe(true);
    expect(await usePayment(database.prisma, again, bought)).toBe(true);
  });

  it('on a payment that can no longer land ends as failed, permanently', async () => {
    const got = await held(exact());
    await recordSent(database.prisma, got, SIGNED);
    await recordFailed(database.prisma, got, { reason: 'transaction_expired', now: at(2) });
    expect(await row()).toMatchObject({ state: 'failed', reason: 'transaction_expired' });
    expect(await claim(exact({ now: at(CLAIM_LEASE_MS * 9) }))).toBeNull();
  });

  it('by the message reads the ledger like one by the signature, once that is known', async () => {
    const got = await held(exact());
    await recordSent(database.prisma, got, SIGNED);
    await recordSettled(database.prisma, got, { slot: 7n, now: at(2) });
    await releaseClaim(database.prisma, got, { reason: 'late', now: at(3) });
    const paymentSignature = SIGNED.signature;
    const heldUntil = new Date(Date.now() + 60_000);
    await database.prisma.ledgerHold.create({ data: { paymentSignature, heldUntil } });
    expect(await claim(exact())).toBeNull();
    expect(await row()).toMatchObject({ state: 'unused' });
    await database.prisma.ledgerHold.deleteMany();
    const refund = { refundSignature: 'back', paymentSignature, token: 'USDC', amountRaw: 1n };
    const from = { fromWallet: 'till', fromLedger: true, recordedAt: at(4) };
    await database.prisma.ledgerRefund.create({ data: { ...refund, ...from } });
    expect(await claim(exact())).toBeNull();
    await database.prisma.ledgerRefund.deleteMany();
    expect(await held(exact())).toMatchObject({ id: got.id, payment: { state: 'settled' } });
  });

  it('that bought nothing frees the payment for another request', async () => {
    const got = await held(wish());
    await releaseClaim(database.prisma, got, { reason: 'not_written', now: at(1) });
    expect(await row()).toMatchObject({ state: 'unused', reason: 'not_written' });
    const other = await held(wish({ requestSha256: 'other', priceMicros: 50_000n }));
    await usePayment(database.prisma, other, bought);
    expect(await row()).toMatchObject({ requestSha256: 'other', priceMicros: 50_000n });
    await freePayment(database.prisma, { subjectId: 'R1', reason: 'gone', now: at(4) });
    expect(await row()).toMatchObject({ state: 'unused', subjectId: null, answer: null });
  });

  it('of a payment that had bought nothing notes its owner from the chain', async () => {
    const got = await held(wish({ payer: 'by the word of one node', payTo: 'another', slot: 4n }));
    await releaseClaim(database.prisma, got, { reason: 'not_written', now: at(1) });
    expect((await held(wish())).payment).toMatchObject({ payer: 'payer', payTo: 'till', slot: 5n });
    expect(await row()).toMatchObject({ payer: 'payer', payTo: 'till' });
  });

  it('is not undone by the note that the payment bought nothing', async () => {
    const got = await held(wish());
    await noteUnused(database.prisma, {
      id: 'PAYX',
      payment: {
        signature: 'sig',
        slot: 5n,
        blockTime: at(0),
        payer: 'payer',
        payTo: 'till',
        amountMicros: 100_000n,
        memos: [],
      },
      requestSha256: 'x',
      reason: 'late',
      now: at(1),
    });
    expect(await row()).toMatchObject({ id: got.id, state: 'settled' });
  });
});

describe('payments whose request died', () => {
  const late = at(CLAIM_LEASE_MS + 60_001);

  it('are left to a repeat for a minute, then forgotten or unused', async () => {
    await held(exact());
    await held(wish());
    const soon = at(CLAIM_LEASE_MS + 59_999);
    await forgetUnsigned(database.prisma, soon);
    expect(await freeInterrupted(database.prisma, soon)).toEqual([]);
    expect(await database.prisma.payment.count()).toBe(2);
    await forgetUnsigned(database.prisma, late);
    expect(await freeInterrupted(database.prisma, late)).toHaveLength(1);
    expect(await database.prisma.payment.findMany()).toMatchObject([
      { state: 'unused', reason: 'interrupted' },
    ]);
  });

  it('that were sent are checked by one sweep at a time', async () => {
    const got = await held(exact());
    await recordSent(database.prisma, got, SIGNED);
    const sweep = (holder: string) => claimSent(database.prisma, { holder, now: late, limit: 5 });
    const claims = (await Promise.all([sweep('a'), sweep('b'), sweep('c')])).flat();
    expect(claims).toHaveLength(1);
    expect(await recordSettled(database.prisma, got, { slot: 1n, now: late })).toBe(false);
  });
});
