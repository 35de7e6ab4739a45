import { Connection, Transaction } from '@solana/web3.js';
import { beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { fundWallet } from '@/devnet/client/fund-wallet';
import { buildTokenPayment, signNow } from '@/devnet/client/pay-token';
import { makeWallet, type Wallet } from '@/devnet/client/wallet';
import { sharedService } from './harness/shared-service';
import type { TestService } from './harness/start-service';
import { callProcedure, runCron } from './harness/use-dashboard';
import { makeSale, mintPaid, offerOf, passSlots, payOffer } from './harness/use-payments';
import { call, mint } from './harness/use-service';

let service: TestService;
let stranger: Wallet;
beforeAll(async () => {
  service = await sharedService();
  stranger = makeWallet();
  const funds = { sol: 1, token: 'USDC', amount: '50' } as const;
  await fundWallet(service.rpcUrl, { wallet: stranger.address, ...funds });
});

const ask = async (path: string, input: object): Promise<Record<string, unknown>> => {
  const { data } = await callProcedure(service, { path, input, method: 'POST' });
  return z.record(z.string(), z.unknown()).parse(data);
};
const rowOf = (signature: string) => service.prisma.payment.findUnique({ where: { signature } });

/**
 * An order of a page whose wallet sends the payment without the service, so that only the memo can
 * find it.
 */
async function order() {
  const sale = await makeSale(service);
  const offer = offerOf(await mint(service, { signature: sale.signature }));
  await fundWallet(service.rpcUrl, {
    wallet: sale.seller.address,
    sol: 1,
    token: 'USDC',
    amount: '1',
  });
  const request = { tx_signature: sale.signature, service_type: 'API access' };
  const prepare = () =>
    ask('web.prepare', {
      quote_id: offer.memo,
      request,
      wallet: sale.payer.address,
      mode: 'send',
    });
  expect(await prepare()).toMatchObject({ state: 'ready' });
  // On a busy machine the test takes longer than a blockhash lives.
  await service.prisma.quote.update({
    where: { id: offer.memo },
    data: {
      landsUntil: 1_000_000_000n,
      awaited: { updateMany: { where: {}, data: { landsUntil: 1_000_000_000n } } },
    },
  });
  const resume = () => ask('web.resume', { quote_id: offer.memo });
  return { ...sale, offer, prepare, resume };
}
type Order = Awaited<ReturnType<typeof order>>;

/**
 * Everything that a stranger and the other party can place before the payment, each with the memo
 * of the offer.
 */
async function bury({ offer, seller, payer }: Order): Promise<void> {
  for (let n = 0; n < 5; n += 1) await payOffer(service, { from: stranger, offer, amount: 1n });
  // The whole price, by a wallet that may not pay: a 403.
  await payOffer(service, { from: stranger, offer });
  await payOffer(service, { from: seller, offer, amount: 99_999n });
  // A transaction that fails on chain.
  const connection = new Connection(service.rpcUrl, 'confirmed');
  const failing = buildTokenPayment({
    from: payer,
    to: offer.payTo,
    token: 'USDC',
    amount: 10_000_000_000n,
    memo: offer.memo,
  });
  await signNow(connection, failing, [payer.keypair]);
  await connection.sendRawTransaction(failing.serialize(), { skipPreflight: true });
  await passSlots(service, 4);
}

describe('a page’s order with payments of others that carry its memo', () => {
  it('is bought by the first payment that qualifies, and a second one stays its payer’s', async () => {
    const page = await order();
    await bury(page);
    expect(await page.resume()).toMatchObject({ state: 'waiting' });
    const own = await payOffer(service, { from: page.payer, offer: page.offer });
    const twice = await payOffer(service, { from: page.payer, offer: page.offer });
    const bought = await page.resume();
    expect(bought).toMatchObject({ state: 'bought', payment_used: true });
    expect(await rowOf(own)).toMatchObject({ state: 'used', payer: page.payer.address });
    const { signature, payer } = page;
    const late = await mintPaid(service, { signature, payment: twice });
    expect([late.status, late.body['receipt_id']]).toEqual([409, bought['bought_id']]);
    expect(await rowOf(twice)).toMatchObject({ state: 'unused', payer: payer.address });
    const story = await call(service, `/payments/${twice}`);
    expect(story.body).toMatchObject({ state: 'unused', bought: null });
  });

  it('is completed by the sweep after the page was closed', async () => {
    const page = await order();
    await bury(page);
    await service.prisma
      .$executeRaw`update quotes set prepared_at = now() - interval '2 minutes' where id = ${page.offer.memo}`;
    await runCron(service, 'sweep-quotes');
    const quote = { where: { id: page.offer.memo } };
    expect(await service.prisma.quote.findUnique(quote)).toMatchObject({ mayBeSent: true });
    const own = await payOffer(service, { from: page.payer, offer: page.offer });
    await expect
      .poll(
        async () => {
          await runCron(service, 'sweep-quotes');
          return (await rowOf(own))?.state;
        },
        { timeout: 90_000, interval: 500 },
      )
      .toBe('used');
    const receipts = await service.prisma.receipt.count({ where: { txSignature: page.signature } });
    expect(receipts).toBe(1);
  });

  it('can still be prepared and paid, because dust is not a pending payment', async () => {
    const sale = await makeSale(service);
    const offer = offerOf(await mint(service, { signature: sale.signature }));
    await payOffer(service, { from: stranger, offer, amount: 1n });
    const request = { tx_signature: sale.signature, service_type: 'API access' };
    const input = { quote_id: offer.memo, request, wallet: sale.payer.address, mode: 'sign' };
    expect(await ask('web.prepare', input)).toMatchObject({ state: 'ready' });
    expect(await ask('web.prepare', input)).toMatchObject({ state: 'ready' });
  });

  it('is not delayed by a stranger’s signed dust sent through the service', async () => {
    const sale = await makeSale(service);
    const offer = offerOf(await mint(service, { signature: sale.signature }));
    const request = { tx_signature: sale.signature, service_type: 'API access' };
    const input = { quote_id: offer.memo, request, wallet: sale.payer.address, mode: 'sign' };
    await ask('web.prepare', input);
    const dust = buildTokenPayment({
      from: stranger,
      to: offer.payTo,
      token: 'USDC',
      amount: 1n,
      memo: offer.memo,
    });
    await signNow(new Connection(service.rpcUrl), dust, [stranger.keypair]);
    const transaction = dust.serialize().toString('base64');
    await expect(ask('web.send', { quote_id: offer.memo, transaction })).rejects.toThrow(
      'invalid_request',
    );
    const { paymentHint } = await service.prisma.quote.findUniqueOrThrow({
      where: { id: offer.memo },
    });
    expect(paymentHint).toBeNull();
  });
});

describe('a stranger who prepares the payment of a page’s order as if its wallet sent it', () => {
  /** Prepares this offer, and other offers for the same transaction, many times. */
  async function pretend(o: {
    signature: string;
    payer: Wallet;
    quoteId: string;
  }): Promise<unknown[]> {
    const { signature, payer } = o;
    const own = { tx_signature: signature, service_type: 'of a stranger' };
    const { memo } = offerOf(await mint(service, { signature, body: own }));
    const more = { wallet: payer.address, mode: 'send', nothing_sent: true };
    const plain = { tx_signature: signature, service_type: 'API access' };
    const states: unknown[] = [];
    for (const wanted of [
      { quote_id: memo, request: own },
      { quote_id: o.quoteId, request: plain },
    ])
      states.push((await ask('web.prepare', { ...wanted, ...more }))['state']);
    return states;
  }
  async function attacked() {
    const { payer, signature } = await makeSale(service);
    const offer = offerOf(await mint(service, { signature }));
    const request = { tx_signature: signature, service_type: 'API access' };
    const input = { quote_id: offer.memo, request, wallet: payer.address };
    const attack = () => pretend({ signature, payer, quoteId: offer.memo });
    return { payer, signature, offer, input, attack };
  }

  it('stops no one from paying it', async () => {
    const { payer, offer, input, attack } = await attacked();
    expect(await attack()).toEqual(['ready', 'ready']);
    const ready = await ask('web.prepare', { ...input, mode: 'sign' });
    expect(ready).toMatchObject({ state: 'ready' });
    expect(await attack()).toEqual(['ready', 'ready']);
    const paying = Transaction.from(Buffer.from(String(ready['transaction']), 'base64'));
    paying.sign(payer.keypair);
    const transaction = paying.serialize().toString('base64');
    await ask('web.send', { quote_id: offer.memo, transaction });
    const resume = () => ask('web.resume', { quote_id: offer.memo });
    await expect.poll(resume).toMatchObject({ state: 'bought' });
  });

  it('takes nothing from a wallet that proved itself: it is not asked to pay twice', async () => {
    const { payer, signature, offer, input, attack } = await attacked();
    const headers = {
      'x-wallet-address': payer.address,
      'x-wallet-signature': payer.signText(`quittance:${signature}`),
    };
    const prepare = async () =>
      (
        await callProcedure(service, {
          path: 'web.prepare',
          method: 'POST',
          headers,
          input: { ...input, mode: 'send' },
        })
      ).data;
    expect(await prepare()).toMatchObject({ state: 'ready' });
    const where = { id: offer.memo };
    const bound = await service.prisma.quote.findUniqueOrThrow({ where });
    expect(bound).toMatchObject({ mayBeSent: true, preparedBy: payer.address });
    await attack();
    expect(await service.prisma.quote.findUniqueOrThrow({ where })).toEqual(bound);
    expect(await prepare()).toEqual({ state: 'under_way', quote_id: offer.memo });
  });
});

describe('the other party of a page’s order, who signs payments that never land', () => {
  it('cannot block the payer, even with two wallets and many attempts', async () => {
    const { payer, seller, signature } = await makeSale(service);
    const offer = offerOf(await mint(service, { signature }));
    const request = { tx_signature: signature, service_type: 'API access' };
    const prepare = (wallet: string, more: object = {}) =>
      ask('web.prepare', { quote_id: offer.memo, request, wallet, mode: 'sign', ...more });
    let turn = 0;
    /**
     * The whole price to the right account, on a blockhash that no node knows. For the nodes, it
     * may still land.
     */
    const signed = (from: Wallet) => {
      const paying = buildTokenPayment({
        from,
        to: offer.payTo,
        token: 'USDC',
        memo: offer.memo,
        amount: offer.amount,
      });
      turn += 1;
      paying.recentBlockhash = makeWallet().address;
      paying.feePayer = from.keypair.publicKey;
      paying.sign(from.keypair);
      return { quote_id: offer.memo, transaction: paying.serialize().toString('base64') };
    };
    const attack = async () => {
      await prepare(seller.address, { mode: 'send' });
      await ask('web.send', signed(seller)).catch((error: unknown) =>
        expect(String(error)).toContain('in_progress'),
      );
      await expect(ask('web.send', signed(stranger))).rejects.toThrow('invalid_request');
    };
    await prepare(payer.address);
    await attack();
    const where = { quoteId: offer.memo, wallet: seller.address };
    expect(await service.prisma.awaitedPayment.findMany({ where })).toHaveLength(1);
    expect(await prepare(seller.address)).toMatchObject({ state: 'under_way' });
    for (let n = 0; n < 3; n += 1) {
      await attack();
      expect(await prepare(payer.address)).toMatchObject({ state: 'ready' });
    }
    const ready = await prepare(payer.address);
    const paying = Transaction.from(Buffer.from(String(ready['transaction']), 'base64'));
    paying.sign(payer.keypair);
    const transaction = paying.serialize().toString('base64');
    await ask('web.send', { quote_id: offer.memo, transaction });
    await attack();
    const resume = () => ask('web.resume', { quote_id: offer.memo, wallet: payer.address });
    await expect.poll(resume).toMatchObject({ state: 'bought' });
    expect(turn).toBeGreaterThan(8);
  });
});

it('a sweep finds a payment behind hundreds of preparations of a stranger', async () => {
  const page = await order();
  const { prisma } = service;
  const { frozen, request, ...terms } = await prisma.quote.findUniqueOrThrow({
    where: { id: page.offer.memo },
  });
  const preparedAt = new Date(Date.now() - 600_000);
  const rubbish = Array.from({ length: 500 }, (_, n) => ({
    ...terms,
    frozen: frozen ?? {},
    request: request ?? {},
    preparedAt,
    id: `QTRUBBISH${String(n).padStart(11, '0')}`,
  }));
  await prisma.quote.createMany({ data: rubbish });
  await prisma.$executeRaw`update quotes set prepared_at = now() - interval '2 minutes' where id = ${page.offer.memo}`;
  const own = await payOffer(service, { from: page.payer, offer: page.offer });
  await passSlots(service, 4);
  const sweeps = async () => {
    await runCron(service, 'sweep-quotes');
    return (await rowOf(own))?.state;
  };
  expect([await sweeps(), await sweeps()]).toContain('used');
  await prisma.quote.deleteMany({ where: { id: { startsWith: 'QTRUBBISH' } } });
}, 480_000);
