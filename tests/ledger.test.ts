import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { fundWallet } from '@/devnet/client/fund-wallet';
import { payToken } from '@/devnet/client/pay-token';
import { startLedgerService, type LedgerService } from './harness/use-ledger';
import { makeSale, mintPaid, offerOf, payOffer } from './harness/use-payments';
import { mint } from './harness/use-service';

let desk: LedgerService;
beforeAll(async () => {
  desk = await startLedgerService();
});
afterAll(() => desk.service.close());

describe('a payment in another token than USDC', () => {
  it.each(['USDT', 'PYUSD'] as const)(
    '%s with the memo of a quote is recorded, held and refunded in that token alone',
    async (token) => {
      const sale = await makeSale(desk.service);
      const { memo } = offerOf(await mint(desk.service, { signature: sale.signature }));
      await fundWallet(desk.service.rpcUrl, { wallet: sale.payer.address, token, amount: '9' });
      const amount = 2_000_000n;
      const payment = await desk.final(
        await payToken(desk.service.rpcUrl, {
          from: sale.payer,
          to: desk.payTo.address,
          token,
          amount,
          memo,
        }),
      );
      const refused = await mintPaid(desk.service, { signature: sale.signature, payment });
      expect([refused.status, refused.body['code'], refused.body['reason']]).toContain(402);
      await desk.scan();
      expect(await desk.entries(payment)).toMatchObject([
        { direction: 'in', token, amountRaw: amount, memos: [memo] },
      ]);
      expect((await desk.shown(payment)).body).toMatchObject({
        state: 'received',
        token,
        amount: 2,
        amount_raw: '2000000',
        left_raw: '2000000',
        payer: sale.payer.address,
        bought: null,
        usable_until: null,
        message: expect.stringMatching(
          /ask the operator .*Operator: Test service without an operator, nobody@/,
        ) as string,
      });
      expect((await desk.held()).body['arrived']).toContainEqual(
        expect.objectContaining({
          signature: payment,
          token,
          amount: '2',
          left_raw: '2000000',
          held: false,
          payers: [sale.payer.address],
        }),
      );
      expect((await desk.hold(payment, true)).body).toMatchObject({ state: 'in_progress' });
      expect((await desk.hold(payment, false)).body).toMatchObject({ state: 'received' });
      await fundWallet(desk.service.rpcUrl, {
        wallet: desk.payTo.address,
        token: 'USDC',
        amount: '9',
      });
      const wrong = await desk.giveBack(sale.payer.address, amount, 'USDC');
      expect(await desk.refund(payment, wrong)).toMatchObject({ status: 400 });
      const back = await desk.giveBack(sale.payer.address, amount, token);
      const given = await desk.refund(payment, back);
      expect(given.body).toMatchObject({
        success: true,
        state: 'refunded',
        refund_signature: back,
        left_raw: '0',
        refunds: [{ signature: back, token, amount: 2, amount_raw: '2000000' }],
      });
      expect((await desk.refund(payment, back)).body).toEqual(given.body);
      const story = await desk.story(payment);
      expect(story.body).toMatchObject({
        payment: null,
        entries: [{ token }],
        refunds: [{ refund_signature: back }],
        audit: expect.arrayContaining([
          expect.objectContaining({ action: 'payment.refund', subject: payment }),
        ]) as unknown[],
      });
      // Removes the wrong one, so that the other tests are not affected.
      expect((await desk.withdrawal(wrong)).status).toBe(200);
    },
  );

  it('in SOL is recorded too, and its refund does not include the network fee', async () => {
    const { payer } = await makeSale(desk.service);
    const payment = await desk.sendSol(payer, desk.payTo.address, 30_000_000);
    await desk.scan();
    expect((await desk.shown(payment)).body).toMatchObject({
      state: 'received',
      token: 'SOL',
      amount: 0.03,
      amount_raw: '30000000',
      payer: payer.address,
    });
    const back = await desk.sendSol(desk.payTo, payer.address, 30_000_000);
    expect((await desk.refund(payment, back)).body).toMatchObject({
      state: 'refunded',
      left_raw: '0',
    });
    expect(await desk.entries(back)).toMatchObject([
      { direction: 'out', amountRaw: 30_005_000n, costRaw: 5_000n, purpose: 'refund' },
    ]);
  });
});

describe('USDC that was never presented', () => {
  it('and was refunded on record buys nothing when it is presented after', async () => {
    const { payer, signature, payment, offer } = await desk.paidSale();
    await desk.scan();
    expect((await desk.shown(payment)).body).toMatchObject({
      state: 'received',
      left_raw: '100000',
    });
    const back = await desk.giveBack(payer.address, offer.amount);
    expect((await desk.refund(payment, back)).status).toBe(200);
    const refused = await mintPaid(desk.service, { signature, payment, wallet: payer });
    expect([refused.status, refused.body['code']]).toEqual([402, 'payment_refunded']);
    expect(await desk.receiptsOf(signature)).toBe(0);
    expect((await desk.shown(payment)).body).toMatchObject({ state: 'refunded' });
  });

  it('is found, held and refunded before the first scan that could see it', async () => {
    const { payer, signature, payment, offer } = await desk.paidSale();
    expect((await desk.shown(payment)).body).toMatchObject({ state: 'received' });
    expect((await desk.hold(payment, true)).body).toMatchObject({ state: 'in_progress' });
    const refused = await mintPaid(desk.service, { signature, payment });
    expect([refused.status, refused.body['code']]).toEqual([503, 'in_progress']);
    expect(
      (await desk.refund(payment, await desk.giveBack(payer.address, offer.amount))).status,
    ).toBe(200);
    expect(await desk.receiptsOf(signature)).toBe(0);
  });

  it('and was sent back without a record buys nothing until the operator records it', async () => {
    const { payer, signature, payment, offer } = await desk.paidSale();
    const back = await payToken(desk.service.rpcUrl, {
      from: desk.payTo,
      to: payer.address,
      token: 'USDC',
      amount: offer.amount,
    });
    // Faster than any scan, and not final yet.
    const quick = await mintPaid(desk.service, { signature, payment, wallet: payer });
    expect([quick.status, quick.body['code'], quick.body['details']]).toEqual([
      ...[503, 'in_progress', { debit: back }],
    ]);
    await desk.final(back);
    await desk.scan();
    const later = await mintPaid(desk.service, { signature, payment, wallet: payer });
    expect([later.status, later.body['details']]).toEqual([503, { debit: back }]);
    expect((await desk.shown(payment)).body).toMatchObject({
      state: 'in_progress',
      questioned_by: back,
    });
    const books = (await desk.admin('/admin/reconciliation')).body;
    expect(books).toMatchObject({ agrees: false });
    expect(books['unexplained']).toContainEqual(
      expect.objectContaining({
        signature: back,
        token: 'USDC',
        amount: '0.1',
        to: [payer.address],
        may_refund: [payment],
      }),
    );
    expect((await desk.refund(payment, back)).body).toMatchObject({ state: 'refunded' });
    const refused = await mintPaid(desk.service, { signature, payment, wallet: payer });
    expect([refused.status, refused.body['code']]).toEqual([402, 'payment_refunded']);
    expect(await desk.receiptsOf(signature)).toBe(0);
  });

  it('buys again once the transfer to its payer is recorded as a withdrawal', async () => {
    const { payer, signature, payment } = await desk.paidSale();
    const out = await desk.giveBack(payer.address, 70_000n);
    expect((await mintPaid(desk.service, { signature, payment })).status).toBe(503);
    const recorded = await desk.withdrawal(out, 'a rebate');
    expect(recorded.body).toMatchObject({
      entries: expect.arrayContaining([
        expect.objectContaining({ token: 'USDC', purpose: 'withdrawal' }),
      ]) as unknown[],
    });
    expect((await desk.refund(payment, out)).status).toBe(409);
    const bought = await mintPaid(desk.service, { signature, payment });
    expect(bought.status, JSON.stringify(bought.body)).toBe(200);
    const audit = await desk.service.prisma.auditEntry.findMany({ where: { subject: out } });
    expect(audit).toMatchObject([{ action: 'ledger.withdraw', detail: { note: 'a rebate' } }]);
    const again = await desk.withdrawal(out);
    expect(again.status).toBe(200);
    expect(await desk.withdrawal(payment)).toMatchObject({
      status: 400,
      body: { code: 'refund_invalid' },
    });
  });
});

describe('a part of a payment', () => {
  it('that is a surplus is refunded on record, once', async () => {
    const { payer, signature, payment } = await desk.paidSale(5_000_000n);
    const bought = await mintPaid(desk.service, { signature, payment });
    expect(bought.status, JSON.stringify(bought.body)).toBe(200);
    expect((await desk.shown(payment)).body).toMatchObject({
      state: 'used',
      amount: 5,
      surplus_raw: '4900000',
      left_raw: '4900000',
      refunds: [],
    });
    const tooMuch = await desk.giveBack(payer.address, 4_900_001n);
    expect((await desk.refund(payment, tooMuch)).body).toMatchObject({ code: 'refund_invalid' });
    expect((await desk.withdrawal(tooMuch)).status).toBe(200);
    const back = await desk.giveBack(payer.address, 4_900_000n);
    expect((await desk.refund(payment, back)).body).toMatchObject({
      state: 'used',
      surplus_raw: '4900000',
      left_raw: '0',
      bought: bought.body['receipt_id'],
      refunds: [{ signature: back, amount: 4.9 }],
    });
    const once = await desk.giveBack(payer.address, 1n);
    expect((await desk.refund(payment, once)).status).toBe(409);
    expect((await desk.withdrawal(once)).status).toBe(200);
    expect((await mintPaid(desk.service, { signature, payment })).body).toMatchObject({
      receipt_id: bought.body['receipt_id'],
    });
  });

  it('leaves the rest to buy with, and several partial refunds add up to the whole payment', async () => {
    const { payer, signature, payment } = await desk.paidSale(400_000n);
    const parts = [
      await desk.giveBack(payer.address, 100_000n),
      await desk.giveBack(payer.address, 150_000n),
    ];
    for (const part of parts) expect((await desk.refund(payment, part)).status).toBe(200);
    expect((await desk.shown(payment)).body).toMatchObject({
      state: 'received',
      left_raw: '150000',
    });
    const bought = await mintPaid(desk.service, { signature, payment });
    expect(bought.status, JSON.stringify(bought.body)).toBe(200);
    expect((await desk.shown(payment)).body).toMatchObject({
      state: 'used',
      amount_raw: '400000',
      left_raw: '50000',
    });
    const rest = await desk.giveBack(payer.address, 50_000n);
    expect((await desk.refund(payment, rest)).body).toMatchObject({ left_raw: '0' });

    const other = await desk.paidSale();
    const most = await desk.giveBack(other.payer.address, 60_000n);
    expect((await desk.refund(other.payment, most)).body).toMatchObject({ left_raw: '40000' });
    const refused = await mintPaid(desk.service, {
      signature: other.signature,
      payment: other.payment,
    });
    expect([refused.status, refused.body['code']]).toEqual([402, 'payment_too_little']);
    expect(await desk.receiptsOf(other.signature)).toBe(0);
  });

  it('below the smallest price gets the answer that it buys nothing', async () => {
    const { payment, signature } = await desk.paidSale(50_000n);
    expect((await mintPaid(desk.service, { signature, payment })).status).toBe(402);
    const { body } = await desk.shown(payment);
    expect(body).toMatchObject({ state: 'unused', left_raw: '50000', usable_until: null });
    expect(body['message']).toContain('below the smallest price, 0.1 USDC, so it buys nothing');
    expect(body['message']).toContain('Pay the whole price in one payment, with the same memo');
    expect(body['message']).not.toContain('may use it');
  });

  it('whole price with the memo of one that was too small does buy', async () => {
    const { payment, signature, payer, offer } = await desk.paidSale(50_000n);
    expect((await mintPaid(desk.service, { signature, payment })).status).toBe(402);
    const whole = await payOffer(desk.service, { from: payer, offer });
    const bought = await mintPaid(desk.service, { signature, payment: whole });
    expect(bought.status, JSON.stringify(bought.body)).toBe(200);
  });
});
