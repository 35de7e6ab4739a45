import { SystemProgram, Transaction } from '@solana/web3.js';
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { fundWallet } from '@/devnet/client/fund-wallet';
import { payToken, sendAndConfirm } from '@/devnet/client/pay-token';
import { makeWallet } from '@/devnet/client/wallet';
import { DESK_TOKEN } from './harness/desk-tokens';
import { letVanish } from './harness/let-vanish';
import { memo, openAccount, sendAll, transfer } from './harness/make-payment';
import { sharedService } from './harness/shared-service';
import type { TestService } from './harness/start-service';
import { decodeHeader, makeSale, mintPaid, offerOf, payOffer } from './harness/use-payments';
import { awaitStatus, call, makePair, mint, pay } from './harness/use-service';

let service: TestService;

beforeAll(async () => {
  service = await sharedService();
});
afterEach(() => service.fault('chain', null));

const rowOf = (signature: string) => service.prisma.payment.findUnique({ where: { signature } });
const receipts = (txSignature: string) => service.prisma.receipt.count({ where: { txSignature } });

/** A sale, and the offer of its receipt. */
async function offered(amount?: bigint) {
  const sale = await makeSale(service, amount);
  return { ...sale, offer: offerOf(await mint(service, { signature: sale.signature })) };
}

describe('a receipt of 25 USDC', () => {
  it('is offered for 0.10 USDC, paid by the client, and minted', async () => {
    const { payer, signature, offer } = await offered();
    expect(offer.amount).toBe(100_000n);
    const payment = await payOffer(service, { from: payer, offer });
    const bought = await mintPaid(service, { signature, payment, headers: { prefer: 'wait=25' } });
    expect([bought.status, bought.body['mint_status']], JSON.stringify(bought.body)).toEqual([
      200,
      'completed',
    ]);
    for (const name of ['payment-response', 'x-payment-response'])
      expect(decodeHeader(bought, name)).toMatchObject({
        success: true,
        transaction: payment,
        payer: payer.address,
      });
    expect(await rowOf(payment)).toMatchObject({
      state: 'used',
      payer: payer.address,
      amountMicros: 100_000n,
      priceMicros: 100_000n,
      quoteId: offer.memo,
      subjectId: bought.body['receipt_id'],
    });
    const id = String(bought.body['receipt_id']);
    await awaitStatus(service, id);
    expect((await call(service, `/receipt/${id}`)).body).toMatchObject({ reported_by: 'payer' });
  });

  it('may be paid by the seller as well, and is then marked as stated by the seller', async () => {
    const { payer, seller, signature, offer } = await offered();
    await fundWallet(service.rpcUrl, { wallet: seller.address, sol: 1 });
    const payment = await payOffer(service, { from: seller, offer });
    const { status, body } = await mintPaid(service, { signature, payment });
    expect(status, JSON.stringify(body)).toBe(200);
    const receipt = (await call(service, `/receipt/${String(body['receipt_id'])}`)).body;
    expect(receipt).toMatchObject({ reported_by: 'seller', payer: payer.address });
  });

  it('answers a repeat of the paid request with the same bytes, and any other use with 402', async () => {
    const { payer, seller, signature, offer } = await offered();
    const payment = await payOffer(service, { from: payer, offer });
    const first = await mintPaid(service, { signature, payment });
    const second = await mintPaid(service, { signature, payment });
    expect([first.status, second.status]).toEqual([200, 200]);
    expect(second.body).toEqual(first.body);
    expect(decodeHeader(second, 'payment-response')).toEqual(
      decodeHeader(first, 'payment-response'),
    );
    const other = await pay(service, { from: payer, to: seller, amount: 5_000_000n });
    for (const wallet of [payer, seller]) {
      const again = await mintPaid(service, { signature: other, payment, wallet });
      expect([again.status, again.body['code'], again.body['reason']]).toEqual([
        402,
        'payment_already_used',
        'payment_already_used',
      ]);
    }
    expect(await receipts(other)).toBe(0);
  });
});

describe('a payment', () => {
  it('whose network fee another wallet pays counts for the owner of the money', async () => {
    const { payer, signature, offer } = await offered();
    const sponsor = makeWallet();
    await fundWallet(service.rpcUrl, { wallet: sponsor.address, sol: 1 });
    const payment = await sendAll(
      service,
      [transfer({ from: payer, to: offer.payTo, amount: offer.amount }), memo(offer.memo)],
      [sponsor, payer],
    );
    const { status, body } = await mintPaid(service, { signature, payment });
    expect(status, JSON.stringify(body)).toBe(200);
    expect((await rowOf(payment))?.payer).toBe(payer.address);
  });

  it('in several transfers of one transaction counts as their sum', async () => {
    const { payer, signature, offer } = await offered();
    const part = (amount: bigint) => transfer({ from: payer, to: offer.payTo, amount });
    const payment = await sendAll(
      service,
      [part(40_000n), memo(offer.memo), part(60_000n)],
      [payer],
    );
    expect((await mintPaid(service, { signature, payment })).status).toBe(200);
    expect((await rowOf(payment))?.amountMicros).toBe(100_000n);
  });

  it('of more than the price is accepted with the memo, and the surplus is recorded', async () => {
    const { payer, signature, offer } = await offered();
    const payment = await payOffer(service, { from: payer, offer, amount: 150_000n });
    expect((await mintPaid(service, { signature, payment })).status).toBe(200);
    expect(await rowOf(payment)).toMatchObject({ amountMicros: 150_000n, priceMicros: 100_000n });
  });

  it('without a memo counts only with the wallet headers of the wallet that paid', async () => {
    const { payer, seller, signature, offer } = await offered();
    const payment = await payOffer(service, { from: payer, offer, memo: null });
    for (const wallet of [undefined, seller]) {
      const refused = await mintPaid(service, { signature, payment, ...(wallet && { wallet }) });
      expect([refused.status, refused.body['code']]).toEqual([401, 'payer_proof_needed']);
      expect(refused.body['error']).toContain(`quittance:${signature}`);
    }
    expect(await rowOf(payment)).toBeNull();
    expect((await mintPaid(service, { signature, payment, wallet: payer })).status).toBe(200);
  });

  it.each([
    ['less', 99_999n, 'payment_too_little'],
    ['more', 100_001n, 'payment_not_exact'],
  ])(
    'without a memo of %s than the exact price is refused, and stays its payer’s',
    async (_, amount, code) => {
      const { payer, signature, offer } = await offered();
      const payment = await payOffer(service, { from: payer, offer, amount, memo: null });
      const { status, body } = await mintPaid(service, { signature, payment, wallet: payer });
      expect([status, body['code']]).toEqual([402, code]);
      expect(await receipts(signature)).toBe(0);
      expect(await rowOf(payment)).toMatchObject({ state: 'unused', reason: code });
    },
  );

  it('with another client’s memo text counts as one without a memo', async () => {
    const { payer, signature, offer } = await offered();
    const payment = await payOffer(service, { from: payer, offer, memo: 'thank you' });
    expect((await mintPaid(service, { signature, payment })).status).toBe(401);
    expect((await mintPaid(service, { signature, payment, wallet: payer })).status).toBe(200);
  });

  it('buys the request of its offer, even when the token’s price has fallen into the free tier', async () => {
    const { payer, seller } = await makePair(service);
    const signature = await sendAndConfirm(
      service.rpcUrl,
      new Transaction().add(
        SystemProgram.transfer({
          fromPubkey: payer.keypair.publicKey,
          toPubkey: seller.keypair.publicKey,
          lamports: 100_000_000,
        }),
      ),
      [payer.keypair],
    );
    const offer = offerOf(await mint(service, { signature }));
    const payment = await payOffer(service, { from: payer, offer });
    await service.prisma.rate.updateMany({
      where: { quote: 'SOL' },
      data: { rate: '1', usdRate: '9.99', final: true },
    });
    expect((await mint(service, { signature })).status).toBe(401);
    const { status, body } = await mintPaid(service, { signature, payment });
    expect(status, JSON.stringify(body)).toBe(200);
    expect(await rowOf(payment)).toMatchObject({ state: 'used', quoteId: offer.memo });
    const receipt = await service.prisma.receipt.findFirstOrThrow({
      where: { txSignature: signature },
    });
    expect(receipt.usdMicros).toBeGreaterThanOrEqual(1_000_000n);
  });

  it('made before any quote is refused', async () => {
    const { payer, seller } = await makePair(service);
    const other = await pay(service, { from: payer, to: seller, amount: 3_000_000n });
    const { payTo } = offerOf(await mint(service, { signature: other }));
    const signature = await pay(service, { from: payer, to: seller, amount: 2_000_000n });
    const bare = { payTo, amount: 100_000n, memo: '' };
    const payment = await payOffer(service, { from: payer, offer: bare, memo: null });
    const { status, body } = await mintPaid(service, { signature, payment, wallet: payer });
    expect([status, body['code']]).toEqual([402, 'payment_without_quote']);
  });
});

describe('a refused payment', () => {
  it.each([
    ['one unit too small', { amount: 99_999n }, 'payment_too_little'],
    ['of nothing to us', { payTo: 'seller' }, 'payment_not_to_us'],
    ['in another token', { token: 'USDT' }, 'payment_wrong_token'],
  ] as const)('%s is a 402 with its reason and the same quote', async (_, change, code) => {
    const { payer, seller, signature, offer } = await offered();
    const token = 'token' in change ? change.token : 'USDC';
    if (token !== 'USDC')
      await fundWallet(service.rpcUrl, { wallet: payer.address, token, amount: '10' });
    const payment = await payToken(service.rpcUrl, {
      from: payer,
      to: 'payTo' in change ? seller.address : offer.payTo,
      token,
      amount: 'amount' in change ? change.amount : offer.amount,
      memo: offer.memo,
    });
    const refused = await mintPaid(service, { signature, payment });
    expect([refused.status, refused.body['code'], refused.body['reason']]).toEqual([
      402,
      code,
      code,
    ]);
    expect(offerOf(refused)).toEqual(offer);
    expect(await receipts(signature)).toBe(0);
  });

  it('that several wallets made together names no payer', async () => {
    const { payer, seller, signature, offer } = await offered();
    const payment = await sendAll(
      service,
      [
        transfer({ from: payer, to: offer.payTo, amount: 50_000n }),
        transfer({ from: seller, to: offer.payTo, amount: 50_000n }),
        memo(offer.memo),
      ],
      [payer, seller],
    );
    const { status, body } = await mintPaid(service, { signature, payment });
    expect([status, body['code']]).toEqual([402, 'payment_several_payers']);
  });

  it('that is itself the transaction of the receipt cannot pay for it', async () => {
    const { payer, offer } = await offered();
    const signature = await pay(service, {
      from: payer,
      to: { address: offer.payTo },
      amount: 25_000_000n,
    });
    const paid = { signature, payment: signature, wallet: payer };
    const { status, body } = await mintPaid(service, paid);
    expect([status, body['code']]).toEqual([402, 'payment_is_the_transaction']);
  });

  it('for another request stays valid for its own request', async () => {
    const { payer, seller, signature, offer } = await offered();
    const other = await pay(service, { from: payer, to: seller, amount: 7_000_000n });
    const payment = await payOffer(service, { from: payer, offer });
    for (const request of [
      { signature: other, wallet: payer },
      { signature, wallet: payer, body: { service_type: 'another label' } },
    ]) {
      const { status, body } = await mintPaid(service, { ...request, payment });
      expect([status, body['code']]).toEqual([402, 'payment_for_another_request']);
    }
    expect((await mintPaid(service, { signature, payment })).status).toBe(200);
  });

  it('by a wallet that is not involved is a 403 that names it, and stays that wallet’s', async () => {
    const { signature, offer } = await offered();
    const stranger = makeWallet();
    await fundWallet(service.rpcUrl, {
      wallet: stranger.address,
      sol: 1,
      token: 'USDC',
      amount: '40',
    });
    const payment = await payOffer(service, { from: stranger, offer });
    const { status, body } = await mintPaid(service, { signature, payment });
    expect([status, body['code']]).toEqual([403, 'not_a_participant']);
    expect(body['error']).toContain(stranger.address);
    expect(await rowOf(payment)).toMatchObject({ state: 'unused', payer: stranger.address });
    const shop = makeWallet();
    const own = await pay(service, { from: stranger, to: shop, amount: 25_000_000n });
    offerOf(await mint(service, { signature: own, wallet: stranger }));
    const bought = await mintPaid(service, { signature: own, payment, wallet: stranger });
    expect(bought.status, JSON.stringify(bought.body)).toBe(200);
  });
});

/** POST /admin/refunds as the operator. */
const refund = (body: object) =>
  call(service, '/admin/refunds', {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${DESK_TOKEN}` },
    body: JSON.stringify(body),
  });

describe('a payment that bought nothing', () => {
  it('because the other party was faster pays for one other request of its payer', async () => {
    const { payer, seller, signature, offer } = await offered();
    await fundWallet(service.rpcUrl, { wallet: seller.address, sol: 1 });
    const [first, late] = [
      await payOffer(service, { from: seller, offer }),
      await payOffer(service, { from: payer, offer }),
    ];
    expect((await mintPaid(service, { signature, payment: first })).status).toBe(200);
    const exists = await mintPaid(service, { signature, payment: late });
    expect([exists.status, exists.body['success']]).toEqual([409, true]);
    expect(await rowOf(late)).toMatchObject({ state: 'unused', reason: 'bought_by_another' });

    const next = await pay(service, { from: payer, to: seller, amount: 9_000_000n });
    const third = await pay(service, { from: payer, to: seller, amount: 8_000_000n });
    const byOther = await mintPaid(service, { signature: next, payment: late, wallet: seller });
    expect([byOther.status, byOther.body['code']]).toEqual([401, 'payer_proof_needed']);
    expect((await mintPaid(service, { signature: next, payment: late })).status).toBe(401);
    const used = await mintPaid(service, { signature: next, payment: late, wallet: payer });
    expect(used.status, JSON.stringify(used.body)).toBe(200);
    const twice = await mintPaid(service, { signature: third, payment: late, wallet: payer });
    expect([twice.status, twice.body['code']]).toEqual([402, 'payment_already_used']);
  });

  it('is found even if it was never presented', async () => {
    const { payer, seller, signature, offer } = await offered();
    await fundWallet(service.rpcUrl, { wallet: seller.address, sol: 1 });
    const late = await payOffer(service, { from: payer, offer });
    const first = await payOffer(service, { from: seller, offer });
    expect((await mintPaid(service, { signature, payment: first })).status).toBe(200);
    const next = await pay(service, { from: payer, to: seller, amount: 9_000_000n });
    const used = await mintPaid(service, { signature: next, payment: late, wallet: payer });
    expect(used.status, JSON.stringify(used.body)).toBe(200);
  });

  it('buys nothing that costs more', async () => {
    const { payer, seller, signature, offer } = await offered();
    const payment = await payOffer(service, { from: payer, offer, amount: 99_999n });
    expect((await mintPaid(service, { signature, payment })).status).toBe(402);
    expect((await rowOf(payment))?.state).toBe('unused');
    const next = await pay(service, { from: payer, to: seller, amount: 9_000_000n });
    const again = await mintPaid(service, { signature: next, payment, wallet: payer });
    expect([again.status, again.body['code']]).toEqual([402, 'payment_too_little']);
  });

  it('buys nothing during a hold, and pays again after the operator releases it', async () => {
    const { payer, signature, offer } = await offered();
    const payment = await payOffer(service, { from: payer, offer, amount: 100_001n, memo: null });
    const use = () => mintPaid(service, { signature, payment, wallet: payer });
    expect((await use()).status).toBe(402);
    const hold = (isHeld: boolean) => refund({ payment_signature: payment, hold: isHeld });
    expect((await hold(true)).body).toMatchObject({ success: true, state: 'in_progress' });
    expect((await use()).body).toMatchObject({ status_code: 503, code: 'in_progress' });
    expect((await hold(false)).body['state']).toBe('unused');
    expect((await use()).status).toBe(200);
    expect((await hold(true)).body['code']).toBe('refund_conflict');
  });

  it('that vanishes before it is final undoes the receipt and frees both', async () => {
    const { payer, seller, signature, offer } = await offered();
    await fundWallet(service.rpcUrl, { wallet: seller.address, sol: 1 });
    await service.fault('chain', { holdFinality: true });
    const payment = await payOffer(service, { from: payer, offer });
    const { status, body } = await mintPaid(service, { signature, payment });
    expect(status, JSON.stringify(body)).toBe(200);
    const id = String(body['receipt_id']);
    await letVanish(service, payment);
    const ended = await awaitStatus(service, id, { wanted: ['failed'] });
    expect(ended['last_error']).toBe('payment_dropped');
    expect(await rowOf(payment)).toMatchObject({ state: 'unused', reason: 'payment_dropped' });
    expect(await service.prisma.receipt.count({ where: { id, releasedAt: null } })).toBe(0);
    const again = await mintPaid(service, { signature, payment });
    expect([again.status, again.body['code']]).toEqual([402, 'payment_failed']);
    const given = await pay(service, { from: seller, to: payer, amount: offer.amount });
    const late = await refund({ payment_signature: payment, refund_signature: given });
    expect([late.status, late.body['code']]).toEqual([409, 'refund_conflict']);
    const retried = await payOffer(service, { from: payer, offer: offerOf(again) });
    const bought = await mintPaid(service, { signature, payment: retried });
    expect(bought.status, JSON.stringify(bought.body)).toBe(200);
    await awaitStatus(service, String(bought.body['receipt_id']));
  });
});

describe('an account of payTo that no client knows', () => {
  it('is not a valid destination for a payment', async () => {
    const { payer, signature, offer } = await offered();
    const payment = await sendAll(
      service,
      [
        openAccount(payer, makeWallet().address),
        transfer({ from: payer, to: payer.address, amount: 1n }),
        memo(offer.memo),
      ],
      [payer],
    );
    const { status, body } = await mintPaid(service, { signature, payment });
    expect([status, body['code']]).toEqual([402, 'payment_not_to_us']);
  });
});
