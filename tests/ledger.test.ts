import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Connection, Keypair, PublicKey, SystemProgram, Transaction } from '@solana/web3.js';
import { afterAll, afterEach, beforeAll, describe, expect, inject, it } from 'vitest';
import { fundWallet } from '@/devnet/client/fund-wallet';
import { payToken, sendAndConfirm, type TOKENS } from '@/devnet/client/pay-token';
import { makeWallet, walletOf, type Wallet } from '@/devnet/client/wallet';
import { parseSecretKey } from '@/server/keys';
import { startAnotherApp } from './harness/start-another-app';
import { startService, type TestService } from './harness/start-service';
import { runCron } from './harness/use-dashboard';
import {
  makeSale,
  mintPaid,
  offerOf,
  payOffer,
  type Offer,
  type Sale,
} from './harness/use-payments';
import { call, mint, type Answer } from './harness/use-service';

const TOKEN = 'ledger-token-0123456789-0123456789-01234567';
const ADMIN = { authorization: `Bearer ${TOKEN}`, 'content-type': 'application/json' };

let service: TestService;
/** The wallet PAY_TO, as its operator holds it. */
let till: Wallet;
beforeAll(async () => {
  service = await startService({ env: { ADMIN_TOKEN: TOKEN } });
  const folder = dirname(service.appEnv['FEE_PAYER_KEY_FILE'] ?? '');
  const secret = parseSecretKey(readFileSync(join(folder, 'pay-to.json'), 'utf8'));
  if (!secret) throw new Error('the stack made no key');
  till = walletOf(Keypair.fromSecretKey(secret));
  expect(till.address).toBe(service.appEnv['PAY_TO']);
  await fundWallet(service.rpcUrl, { wallet: till.address, sol: 1 });
});
afterAll(() => service.close());
afterEach(() => service.fault('chain', null));

type Symbol = keyof typeof TOKENS;
const look = (signature: string) => call(service, `/payments/${signature}`);
const admin = (path: string, body: object = {}): Promise<Answer> =>
  call(service, path, { method: 'POST', headers: ADMIN, body: JSON.stringify(body) });
const hold = (payment: string, isHeld: boolean) =>
  admin('/admin/refunds', { payment_signature: payment, hold: isHeld });
const refund = (payment: string, signature: string) =>
  admin('/admin/refunds', { payment_signature: payment, refund_signature: signature });
const scan = () => runCron(service, 'scan-ledger');
const entry = (signature: string) =>
  service.prisma.ledgerEntry.findMany({ where: { signature, direction: { not: 'none' } } });

/** Waits until a transaction is final. */
async function final(signature: string): Promise<string> {
  const connection = new Connection(service.rpcUrl, 'finalized');
  while (!(await connection.getTransaction(signature, { maxSupportedTransactionVersion: 0 })))
    await sleep(100);
  return signature;
}
/** Sends from PAY_TO, as its operator does by hand. */
const giveBack = async (to: string, amount: bigint, token: Symbol = 'USDC'): Promise<string> =>
  final(await payToken(service.rpcUrl, { from: till, to, token, amount }));
const sendSol = async (from: Wallet, to: string, lamports: number): Promise<string> =>
  final(
    await sendAndConfirm(
      service.rpcUrl,
      new Transaction().add(
        SystemProgram.transfer({
          fromPubkey: from.keypair.publicKey,
          toPubkey: new PublicKey(to),
          lamports,
        }),
      ),
      [from.keypair],
    ),
  );

/** A sale, its offer and what was paid for it, with the memo; not presented. */
async function paidSale(amount?: bigint): Promise<Sale & { offer: Offer; payment: string }> {
  const sale = await makeSale(service);
  const offer = offerOf(await mint(service, { signature: sale.signature }));
  const paid = { from: sale.payer, offer, ...(amount === undefined ? {} : { amount }) };
  return { ...sale, offer, payment: await final(await payOffer(service, paid)) };
}
const receiptsOf = (signature: string) =>
  service.prisma.receipt.count({ where: { txSignature: signature } });

describe('what arrives in another token than USDC', () => {
  it.each(['USDT', 'PYUSD'] as const)(
    '%s with the memo of a quote is on record, is held and is given back in that token alone',
    async (token) => {
      const sale = await makeSale(service);
      const { memo } = offerOf(await mint(service, { signature: sale.signature }));
      await fundWallet(service.rpcUrl, { wallet: sale.payer.address, token, amount: '9' });
      const amount = 2_000_000n;
      const payment = await final(
        await payToken(service.rpcUrl, { from: sale.payer, to: till.address, token, amount, memo }),
      );
      const refused = await mintPaid(service, { signature: sale.signature, payment });
      expect([refused.status, refused.body['code'], refused.body['reason']]).toContain(402);
      await scan();
      expect(await entry(payment)).toMatchObject([
        { direction: 'in', token, amountRaw: amount, memos: [memo] },
      ]);
      expect((await look(payment)).body).toMatchObject({
        ...{ state: 'received', token, amount: 2, amount_raw: '2000000', left_raw: '2000000' },
        ...{ payer: sale.payer.address, bought: null, usable_until: null },
        message: expect.stringContaining('ask the operator') as string,
      });
      expect((await hold(payment, true)).body).toMatchObject({ state: 'in_progress' });
      expect((await hold(payment, false)).body).toMatchObject({ state: 'received' });
      await fundWallet(service.rpcUrl, { wallet: till.address, token: 'USDC', amount: '9' });
      const wrong = await giveBack(sale.payer.address, amount, 'USDC');
      expect(await refund(payment, wrong)).toMatchObject({ status: 400 });
      const back = await giveBack(sale.payer.address, amount, token);
      const given = await refund(payment, back);
      expect(given.body).toMatchObject({
        ...{ success: true, state: 'refunded', refund_signature: back, left_raw: '0' },
        refunds: [{ signature: back, token, amount: 2, amount_raw: '2000000' }],
      });
      expect((await refund(payment, back)).body).toEqual(given.body);
      const story = await call(service, `/admin/payments/${payment}`, { headers: ADMIN });
      expect(story.body).toMatchObject({
        ...{ payment: null, entries: [{ token }], refunds: [{ refund_signature: back }] },
        audit: expect.arrayContaining([
          expect.objectContaining({ action: 'payment.refund', subject: payment }),
        ]) as unknown[],
      });
      // The wrong one is taken out of the way of the other tests.
      expect((await admin('/admin/withdrawals', { signature: wrong })).status).toBe(200);
    },
  );

  it('SOL is on record too, and its refund is told from the network fee', async () => {
    const { payer } = await makeSale(service);
    const payment = await sendSol(payer, till.address, 30_000_000);
    await scan();
    expect((await look(payment)).body).toMatchObject({
      ...{ state: 'received', token: 'SOL', amount: 0.03, amount_raw: '30000000' },
      payer: payer.address,
    });
    const back = await sendSol(till, payer.address, 30_000_000);
    expect((await refund(payment, back)).body).toMatchObject({ state: 'refunded', left_raw: '0' });
    expect(await entry(back)).toMatchObject([
      { direction: 'out', amountRaw: 30_005_000n, costRaw: 5_000n, purpose: 'refund' },
    ]);
  });
});

describe('USDC that nobody presented', () => {
  it('and that was given back on record buys nothing when it is presented after', async () => {
    const { payer, signature, payment, offer } = await paidSale();
    await scan();
    expect((await look(payment)).body).toMatchObject({ state: 'received', left_raw: '100000' });
    const back = await giveBack(payer.address, offer.amount);
    expect((await refund(payment, back)).status).toBe(200);
    const refused = await mintPaid(service, { signature, payment, wallet: payer });
    expect([refused.status, refused.body['code']]).toEqual([402, 'payment_refunded']);
    expect(await receiptsOf(signature)).toBe(0);
    expect((await look(payment)).body).toMatchObject({ state: 'refunded' });
  });

  it('is looked up, held and refunded before the first scan that could see it', async () => {
    const { payer, signature, payment, offer } = await paidSale();
    expect((await look(payment)).body).toMatchObject({ state: 'received' });
    expect((await hold(payment, true)).body).toMatchObject({ state: 'in_progress' });
    const refused = await mintPaid(service, { signature, payment });
    expect([refused.status, refused.body['code']]).toEqual([503, 'in_progress']);
    expect((await refund(payment, await giveBack(payer.address, offer.amount))).status).toBe(200);
    expect(await receiptsOf(signature)).toBe(0);
  });

  it('and that was sent back without a record buys nothing until the operator says what that was', async () => {
    const { payer, signature, payment, offer } = await paidSale();
    const back = await payToken(service.rpcUrl, {
      ...{ from: till, to: payer.address, token: 'USDC', amount: offer.amount },
    });
    // Faster than any scan, and not final yet.
    const quick = await mintPaid(service, { signature, payment, wallet: payer });
    expect([quick.status, quick.body['code'], quick.body['details']]).toEqual([
      ...[503, 'in_progress', { debit: back }],
    ]);
    await final(back);
    await scan();
    const later = await mintPaid(service, { signature, payment, wallet: payer });
    expect([later.status, later.body['details']]).toEqual([503, { debit: back }]);
    expect((await look(payment)).body).toMatchObject({
      ...{ state: 'in_progress', questioned_by: back },
    });
    const books = (await admin('/admin/reconciliation')).body;
    expect(books).toMatchObject({ agrees: false });
    expect(books['unexplained']).toContainEqual(
      expect.objectContaining({
        ...{ signature: back, token: 'USDC', amount: '0.1', to: [payer.address] },
        may_refund: [payment],
      }),
    );
    expect((await refund(payment, back)).body).toMatchObject({ state: 'refunded' });
    const refused = await mintPaid(service, { signature, payment, wallet: payer });
    expect([refused.status, refused.body['code']]).toEqual([402, 'payment_refunded']);
    expect(await receiptsOf(signature)).toBe(0);
  });

  it('buys again once what went to its payer is on record as a withdrawal', async () => {
    const { payer, signature, payment } = await paidSale();
    const out = await giveBack(payer.address, 70_000n);
    expect((await mintPaid(service, { signature, payment })).status).toBe(503);
    const recorded = await admin('/admin/withdrawals', { signature: out, note: 'a rebate' });
    expect(recorded.body).toMatchObject({
      entries: expect.arrayContaining([
        expect.objectContaining({ token: 'USDC', purpose: 'withdrawal' }),
      ]) as unknown[],
    });
    expect((await refund(payment, out)).status).toBe(409);
    const bought = await mintPaid(service, { signature, payment });
    expect(bought.status, JSON.stringify(bought.body)).toBe(200);
    const audit = await service.prisma.auditEntry.findMany({ where: { subject: out } });
    expect(audit).toMatchObject([{ action: 'ledger.withdraw', detail: { note: 'a rebate' } }]);
    const again = await admin('/admin/withdrawals', { signature: out });
    expect(again.status).toBe(200);
    expect(await admin('/admin/withdrawals', { signature: payment })).toMatchObject({
      ...{ status: 400, body: { code: 'refund_invalid' } },
    });
  });
});

describe('a part of a payment', () => {
  it('that is surplus is given back on record, once', async () => {
    const { payer, signature, payment } = await paidSale(5_000_000n);
    const bought = await mintPaid(service, { signature, payment });
    expect(bought.status, JSON.stringify(bought.body)).toBe(200);
    expect((await look(payment)).body).toMatchObject({
      ...{ state: 'used', amount: 5, surplus_raw: '4900000', left_raw: '4900000', refunds: [] },
    });
    const tooMuch = await giveBack(payer.address, 4_900_001n);
    expect((await refund(payment, tooMuch)).body).toMatchObject({ code: 'refund_invalid' });
    expect((await admin('/admin/withdrawals', { signature: tooMuch })).status).toBe(200);
    const back = await giveBack(payer.address, 4_900_000n);
    expect((await refund(payment, back)).body).toMatchObject({
      ...{
        state: 'used',
        surplus_raw: '4900000',
        left_raw: '0',
        bought: bought.body['receipt_id'],
      },
      refunds: [{ signature: back, amount: 4.9 }],
    });
    const once = await giveBack(payer.address, 1n);
    expect((await refund(payment, once)).status).toBe(409);
    expect((await admin('/admin/withdrawals', { signature: once })).status).toBe(200);
    expect((await mintPaid(service, { signature, payment })).body).toMatchObject({
      receipt_id: bought.body['receipt_id'],
    });
  });

  it('leaves the rest to buy with, and several parts add up to all of it', async () => {
    const { payer, signature, payment } = await paidSale(400_000n);
    const parts = [
      await giveBack(payer.address, 100_000n),
      await giveBack(payer.address, 150_000n),
    ];
    for (const part of parts) expect((await refund(payment, part)).status).toBe(200);
    expect((await look(payment)).body).toMatchObject({ state: 'received', left_raw: '150000' });
    const bought = await mintPaid(service, { signature, payment });
    expect(bought.status, JSON.stringify(bought.body)).toBe(200);
    expect((await look(payment)).body).toMatchObject({
      ...{ state: 'used', amount_raw: '400000', left_raw: '50000' },
    });
    const rest = await giveBack(payer.address, 50_000n);
    expect((await refund(payment, rest)).body).toMatchObject({ left_raw: '0' });

    const other = await paidSale();
    const most = await giveBack(other.payer.address, 60_000n);
    expect((await refund(other.payment, most)).body).toMatchObject({ left_raw: '40000' });
    const refused = await mintPaid(service, { signature: other.signature, payment: other.payment });
    expect([refused.status, refused.body['code']]).toEqual([402, 'payment_too_little']);
    expect(await receiptsOf(other.signature)).toBe(0);
  });

  it('below the smallest price is told that it buys nothing', async () => {
    const { payment, signature } = await paidSale(50_000n);
    expect((await mintPaid(service, { signature, payment })).status).toBe(402);
    const { body } = await look(payment);
    expect(body).toMatchObject({ state: 'unused', left_raw: '50000', usable_until: null });
    expect(body['message']).toContain('below the smallest price, 0.1 USDC, so it buys nothing');
    expect(body['message']).toContain('Pay the whole price in one payment, with the same memo');
    expect(body['message']).not.toContain('may use it');
  });

  it('whole price with the memo of one that was too little does buy', async () => {
    const { payment, signature, payer, offer } = await paidSale(50_000n);
    expect((await mintPaid(service, { signature, payment })).status).toBe(402);
    const whole = await payOffer(service, { from: payer, offer });
    const bought = await mintPaid(service, { signature, payment: whole });
    expect(bought.status, JSON.stringify(bought.body)).toBe(200);
  });
});

describe('a refund and a purchase with one payment, over two processes', () => {
  it('never both happen', async () => {
    const other = await startAnotherApp({
      ...{ distDir: inject('distDir'), env: service.appEnv, onCrash: console.error },
    });
    const base = { ...service, baseUrl: other.baseUrl };
    let [refunded, bought] = [0, 0];
    for (let round = 0; round < 6; round += 1) {
      const { payer, signature, payment, offer } = await paidSale();
      // From another wallet of the operator, so that only the record can stop the purchase.
      const purse = makeWallet();
      await fundWallet(service.rpcUrl, {
        wallet: purse.address,
        sol: 1,
        token: 'USDC',
        amount: '1',
      });
      const back = await final(
        await payToken(service.rpcUrl, {
          ...{ from: purse, to: payer.address, token: 'USDC', amount: offer.amount },
        }),
      );
      const [one, two] = await Promise.all([
        call(base, '/admin/refunds', {
          ...{ method: 'POST', headers: ADMIN },
          body: JSON.stringify({ payment_signature: payment, refund_signature: back }),
        }),
        sleep(round * 15).then(() => mintPaid(service, { signature, payment })),
      ]);
      const isRefunded = one.status === 200;
      const receipts = await receiptsOf(signature);
      expect([isRefunded, receipts], JSON.stringify([one.body, two.body])).toEqual(
        isRefunded ? [true, 0] : [false, 1],
      );
      refunded += isRefunded ? 1 : 0;
      bought += receipts;
    }
    expect(refunded + bought).toBe(6);
    await other.stop();
  });
});

describe('the books', () => {
  it('add up to the balance of the chain, by token, and are shown by metrics and the command', async () => {
    const { payment, signature } = await paidSale();
    expect((await mintPaid(service, { signature, payment })).status).toBe(200);
    await final(payment);
    await runCron(service, 'scan-ledger');
    await explainAll();
    const { body } = await admin('/admin/reconciliation');
    expect(body, JSON.stringify(body)).toMatchObject({ success: true, agrees: true });
    const tokens = body['tokens'] as Record<string, string>[];
    const micro = (text: string | undefined) => Math.round(Number(text) * 1e6);
    for (const one of tokens) {
      const [came, bought, refunded, unused] = [
        one['came_in'],
        one['bought'],
        one['refunded'],
        one['unused'],
      ].map(micro);
      expect(came, one['token']).toBe((bought ?? 0) + (refunded ?? 0) + (unused ?? 0));
      expect(one['difference'], one['token']).toBe('0');
    }
    const connection = new Connection(service.rpcUrl, 'finalized');
    const sol = tokens.find(({ token }) => token === 'SOL');
    expect(Math.round(Number(sol?.['balance']) * 1e9)).toBe(
      await connection.getBalance(new PublicKey(till.address)),
    );
    expect(await service.prisma.ledgerReconciliation.count()).toBe(tokens.length);
    const text = await (await fetch(new URL('/metrics', service.baseUrl))).text();
    expect(text).toContain('quittance_ledger_difference{token="USDC",kind="rows"} 0');
    expect(text).toContain('quittance_ledger_difference{token="USDC",kind="unbacked"} 0');
  });

  it('show a purchase without money, and what left without a record', async () => {
    const out = await giveBack(makeWallet().address, 30_000n);
    const { payment, signature } = await paidSale();
    expect((await mintPaid(service, { signature, payment })).status).toBe(200);
    await scan();
    await service.prisma.ledgerEntry.deleteMany({ where: { signature: payment } });
    const { body } = await admin('/admin/reconciliation');
    // The scan of this very call found the row again, as the balance did not agree.
    expect(body).toMatchObject({ agrees: false });
    const usdc = (body['tokens'] as Record<string, string>[]).find(({ token }) => token === 'USDC');
    expect(usdc).toMatchObject({ unexplained: '0.03' });
    const text = await (await fetch(new URL('/metrics', service.baseUrl))).text();
    expect(text).toContain('quittance_ledger_difference{token="USDC",kind="unexplained"} 0.03');
    expect((await admin('/admin/withdrawals', { signature: out })).status).toBe(200);
  });
});

/** Records all that is open as withdrawals, so that the books agree. */
async function explainAll(): Promise<void> {
  const { body } = await admin('/admin/reconciliation');
  for (const { signature } of body['unexplained'] as { signature: string }[])
    expect((await admin('/admin/withdrawals', { signature })).status).toBe(200);
}

describe('a scan that is disturbed', () => {
  it('by a node that shortens a history: the difference is shown, and the row is not lost', async () => {
    const { payment } = await paidSale();
    await service.fault('chain', { shortenHistory: [payment] });
    await scan();
    const text = await (await fetch(new URL('/metrics', service.baseUrl))).text();
    expect(text).toContain('quittance_ledger_difference{token="USDC",kind="rows"} 0.1');
    expect(await entry(payment)).toEqual([]);
    await service.fault('chain', null);
    await scan();
    expect(await entry(payment)).toMatchObject([{ direction: 'in', amountRaw: 100_000n }]);
  });

  it('by a kill in the middle, and by a second process: no row is lost or doubled', async () => {
    const sales = await Promise.all(Array.from({ length: 5 }, () => paidSale()));
    await service.fault('chain', { delayMs: { getTransaction: 150 } });
    const dying = scan().catch(() => undefined);
    await sleep(400);
    await service.app.kill();
    await service.app.start();
    await service.fault('chain', null);
    await dying;
    const other = await startAnotherApp({
      ...{ distDir: inject('distDir'), env: service.appEnv, onCrash: console.error },
    });
    await Promise.all([
      admin('/admin/reconciliation'),
      call({ ...service, baseUrl: other.baseUrl }, '/admin/reconciliation', {
        ...{ method: 'POST', headers: ADMIN, body: '{}' },
      }),
      scan(),
    ]);
    await other.stop();
    for (const { payment } of sales)
      expect(await entry(payment)).toMatchObject([{ direction: 'in', amountRaw: 100_000n }]);
    const accounts = await service.prisma.ledgerAccount.findMany({
      where: { differenceRaw: { not: 0n } },
    });
    expect(accounts).toEqual([]);
  });
});
