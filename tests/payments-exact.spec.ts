import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { fundWallet } from '@/devnet/client/fund-wallet';
import { makeWallet, type Wallet } from '@/devnet/client/wallet';
import { tokenBalance } from './harness/make-payment';
import { signOffer } from './harness/sign-offer';
import { sharedService } from './harness/shared-service';
import type { TestService } from './harness/start-service';
import { decodeHeader, makeSale, mintPaid, offerOf } from './harness/use-payments';
import { awaitStatus, mint, pay } from './harness/use-service';

let service: TestService;

beforeAll(async () => {
  service = await sharedService();
});
afterEach(() => service.fault('chain', null));

const rows = (payer: string) => service.prisma.payment.findMany({ where: { payer } });

async function offered() {
  const sale = await makeSale(service);
  const answer = await mint(service, { signature: sale.signature });
  return { ...sale, answer, offer: offerOf(answer) };
}

describe.each(['v1', 'v2'] as const)('a payment by x402 %s', (version) => {
  it('buys the receipt, charges its payer once, and answers repeats alike', async () => {
    const { payer, signature, answer, offer } = await offered();
    const before = await tokenBalance(service, offer.payTo);
    const headers = await signOffer(service, { answer, from: payer, version });
    const first = await mint(service, { signature, headers });
    expect(first.status, JSON.stringify(first.body)).toBe(200);
    const news = decodeHeader(first, 'payment-response');
    expect(news).toMatchObject({
      success: true,
      payer: payer.address,
      network: version === 'v1' ? 'solana' : 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp',
    });
    const again = await mint(service, { signature, headers });
    expect([again.status, again.body]).toEqual([200, first.body]);
    expect((await tokenBalance(service, offer.payTo)) - before).toBe(100_000n);
    expect(await rows(payer.address)).toMatchObject([
      {
        state: 'used',
        dialect: version,
        signature: news['transaction'],
        subjectId: first.body['receipt_id'],
      },
    ]);
    await awaitStatus(service, String(first.body['receipt_id']));
  });

  it('by a client that writes its own memo counts for the newest quote of the request', async () => {
    const { payer, signature, answer, offer } = await offered();
    const headers = await signOffer(service, { answer, from: payer, version, memo: null });
    const { status, body } = await mint(service, { signature, headers });
    expect(status, JSON.stringify(body)).toBe(200);
    expect(await rows(payer.address)).toMatchObject([{ quoteId: offer.memo, state: 'used' }]);
  });

  it.each([
    ['too little', { amount: 99_999n }],
    ['too much', { amount: 100_001n }],
  ])('of %s is a 402 with the reason, and no money moves', async (_, change) => {
    const { payer, signature, answer, offer } = await offered();
    const before = await tokenBalance(service, offer.payTo);
    const headers = await signOffer(service, { answer, from: payer, version, ...change });
    const refused = await mint(service, { signature, headers });
    expect([refused.status, refused.body['code']]).toEqual([402, 'payment_invalid']);
    expect(refused.body['reason']).toMatch(/amount_mismatch/);
    expect(decodeHeader(refused, 'payment-response')).toMatchObject({
      success: false,
      transaction: '',
      errorReason: refused.body['reason'],
    });
    expect(offerOf(refused)).toEqual(offer);
    expect(await tokenBalance(service, offer.payTo)).toBe(before);
    expect(await rows(payer.address)).toEqual([]);
  });

  it('that names the quote of another request is refused, and no money moves', async () => {
    const { payer, seller, signature, answer } = await offered();
    const other = await pay(service, { from: payer, to: seller, amount: 7_000_000n });
    const headers = await signOffer(service, { answer, from: payer, version });
    const refused = await mint(service, { signature: other, headers });
    expect([refused.status, refused.body['code']]).toEqual([402, 'payment_for_another_request']);
    expect((await mint(service, { signature, headers })).status).toBe(200);
  });

  it('by a wallet that is not involved is a 403 that charges nothing', async () => {
    const { signature, answer } = await offered();
    const stranger = makeWallet();
    const wish = { wallet: stranger.address, token: 'USDC', amount: '5' };
    await fundWallet(service.rpcUrl, wish);
    const headers = await signOffer(service, { answer, from: stranger, version });
    const refused = await mint(service, { signature, headers });
    expect([refused.status, refused.body['code']]).toEqual([403, 'not_a_participant']);
    expect(refused.body['error']).toContain(stranger.address);
    expect(await tokenBalance(service, stranger.address)).toBe(5_000_000n);
  });

  it('for a receipt that exists is a 409 that charges nothing', async () => {
    const { payer, signature, answer } = await offered();
    const first = await signOffer(service, { answer, from: payer, version });
    expect((await mint(service, { signature, headers: first })).status).toBe(200);
    const second = await signOffer(service, { answer, from: payer, version, memo: null });
    const before = await tokenBalance(service, payer.address);
    expect((await mint(service, { signature, headers: second })).status).toBe(409);
    expect(await tokenBalance(service, payer.address)).toBe(before);
  });

  it('cannot be presented again by its signature, for this request or another', async () => {
    const { payer, seller, signature, answer } = await offered();
    const headers = await signOffer(service, { answer, from: payer, version });
    const first = await mint(service, { signature, headers });
    const payment = String(decodeHeader(first, 'payment-response')['transaction']);
    const other = await pay(service, { from: payer, to: seller, amount: 7_000_000n });
    const refused = await mintPaid(service, { signature: other, payment, wallet: payer });
    expect([refused.status, refused.body['code']]).toEqual([402, 'payment_already_used']);
    const elsewhere = await mint(service, { signature: other, headers });
    expect([elsewhere.status, elsewhere.body['code']]).toEqual([402, 'payment_already_used']);
    expect(decodeHeader(elsewhere, 'payment-response')).toMatchObject({
      success: false,
      transaction: '',
      errorReason: 'payment_already_used',
    });
    const same = await mintPaid(service, { signature, payment });
    expect([same.status, same.body]).toEqual([200, first.body]);
  });
});

/**
 * After the verification, v1 and v2 share one path. Each test uses one of the two, because both
 * tests are slow.
 */
describe('a payment that we settle', () => {
  it('and that is not confirmed in time is a 503 with its signature; the repeat settles it once', async () => {
    const { payer, signature, answer, offer } = await offered();
    const before = await tokenBalance(service, offer.payTo);
    const headers = await signOffer(service, { answer, from: payer, version: 'v1' });
    await service.fault('chain', { dropNextSends: 1_000 });
    const pending = await mint(service, { signature, headers });
    expect([pending.status, pending.body['code']]).toEqual([503, 'payment_pending']);
    expect(Number(pending.headers.get('retry-after'))).toBeGreaterThan(0);
    const news = decodeHeader(pending, 'payment-response');
    expect(news).toMatchObject({ success: false, errorReason: 'settlement_pending' });
    expect(await rows(payer.address)).toMatchObject([
      { state: 'sent', signature: news['transaction'] },
    ]);
    // No other payer can be charged for it until then.
    const rival = await signOffer(service, { answer, from: payer, version: 'v1', memo: null });
    const second = await mint(service, { signature, headers: rival });
    expect([second.status, second.body['code']]).toEqual([503, 'in_progress']);
    await service.fault('chain', null);
    const settled = await mint(service, { signature, headers });
    expect(settled.status, JSON.stringify(settled.body)).toBe(200);
    expect(decodeHeader(settled, 'payment-response')['transaction']).toBe(news['transaction']);
    expect((await tokenBalance(service, offer.payTo)) - before).toBe(100_000n);
  });

  it('and that can no longer land is a 402 with a fresh offer, and no one is charged', async () => {
    const { payer, signature, answer } = await offered();
    const headers = await signOffer(service, { answer, from: payer, version: 'v2' });
    await service.fault('chain', { dropNextSends: 1_000 });
    expect((await mint(service, { signature, headers })).status).toBe(503);
    await service.fault('chain', { advanceSlots: 400 });
    await expect.poll(async () => (await mint(service, { signature, headers })).status).toBe(402);
    expect(await rows(payer.address)).toMatchObject([{ state: 'failed' }]);
    await service.fault('chain', null);
    const retried = await mint(service, { signature, headers });
    expect([retried.status, retried.body['reason']]).toEqual([402, 'transaction_expired']);
    const [{ signature: payment } = { signature: null }] = await rows(payer.address);
    const named = await mint(service, { signature, headers: { 'x-payment': payment ?? '' } });
    expect([named.status, named.body['code']]).toEqual([402, 'payment_failed']);
    const fresh = await signOffer(service, { answer: retried, from: payer, version: 'v2' });
    expect((await mint(service, { signature, headers: fresh })).status).toBe(200);
    expect(await service.prisma.receipt.count({ where: { txSignature: signature } })).toBe(1);
  });

  it('and whose blockhash is nearly over is a 402 that holds and consumes nothing', async () => {
    const { payer, signature, answer } = await offered();
    const headers = await signOffer(service, { answer, from: payer, version: 'v1' });
    await service.fault('chain', { advanceSlots: 95 });
    const refused = await mint(service, { signature, headers });
    expect([refused.status, refused.body['reason']]).toEqual([
      402,
      'invalid_exact_svm_payload_blockhash_nearly_over',
    ]);
    expect(await rows(payer.address)).toEqual([]);
    expect(await service.prisma.reservation.count({ where: { txSignature: signature } })).toBe(0);
    const fresh = await signOffer(service, { answer, from: payer, version: 'v1' });
    expect((await mint(service, { signature, headers: fresh })).status).toBe(200);
  });

  it('and that never lands holds the transaction once, and then the other party may pay first', async () => {
    const { payer, seller, signature } = await makeSale(service);
    const answer = await mint(service, { signature });
    const signed = (from: Wallet) => signOffer(service, { answer, from, version: 'v2' });
    const held = await signed(seller);
    await service.fault('chain', { dropNextSends: 1_000 });
    expect((await mint(service, { signature, headers: held })).status).toBe(503);
    const waits = await mint(service, { signature, headers: await signed(payer) });
    expect([waits.status, waits.body['code']]).toEqual([503, 'in_progress']);
    await service.fault('chain', { advanceSlots: 400 });
    await expect
      .poll(async () => (await mint(service, { signature, headers: held })).status, {
        timeout: 90_000,
      })
      .toBe(402);
    const again = await mint(service, { signature, headers: await signed(seller) });
    expect([again.status, again.body['reason']]).toEqual([402, 'another_payer_waits']);
    expect(await rows(seller.address)).toMatchObject([{ state: 'failed' }]);
    await service.fault('chain', null);
    const bought = await mint(service, { signature, headers: await signed(payer) });
    expect(bought.status, JSON.stringify(bought.body)).toBe(200);
  });
});
