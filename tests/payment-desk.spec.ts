import { readFileSync } from 'node:fs';
import { Connection, Keypair, PublicKey, SystemProgram, Transaction } from '@solana/web3.js';
import { beforeAll, describe, expect, it } from 'vitest';
import { fundWallet } from '@/devnet/client/fund-wallet';
import { payToken, sendAndConfirm } from '@/devnet/client/pay-token';
import { makeWallet, type Wallet } from '@/devnet/client/wallet';
import { parseSecretKey } from '@/server/keys';
import { ANNA, CAROL, DESK_TOKEN } from './harness/desk-tokens';
import { runNode } from './harness/run-command';
import { sharedService } from './harness/shared-service';
import type { TestService } from './harness/start-service';
import { signOffer } from './harness/sign-offer';
import { awaitFinalized } from './harness/use-ledger';
import { makeSale, mintPaid, offerOf, payOffer, type Sale } from './harness/use-payments';
import {
  awaitStatus,
  call,
  freshReceipt,
  makePair,
  mint,
  pay,
  type Answer,
} from './harness/use-service';

const ADMIN = { authorization: `Bearer ${DESK_TOKEN}` };
const UNKNOWN = '5'.repeat(87);
/** Four times as many as the queue of free mints works on at once. */
const FLOOD = 40;

let service: TestService;
let operator: Wallet;
beforeAll(async () => {
  service = await sharedService();
  operator = makeWallet();
  await fundWallet(service.rpcUrl, {
    wallet: operator.address,
    sol: 1,
    token: 'USDC',
    amount: '9',
  });
});

/** A payment for a receipt that another client bought in the meantime. */
async function unusedPayment(): Promise<Sale & { payment: string; amount: bigint }> {
  const sale = await makeSale(service);
  const offer = offerOf(await mint(service, { signature: sale.signature }));
  const [first, second] = [
    await payOffer(service, { from: sale.payer, offer }),
    await payOffer(service, { from: sale.payer, offer }),
  ];
  const bought = await mintPaid(service, { signature: sale.signature, payment: first });
  expect(bought.status, JSON.stringify(bought.body)).toBe(200);
  const late = await mintPaid(service, { signature: sale.signature, payment: second });
  expect(late.status).toBe(409);
  return { ...sale, payment: second, amount: offer.amount };
}

const shown = (signature: string) => call(service, `/payments/${signature}`);
const refund = (payment: string, signature: string, headers: object = ADMIN): Promise<Answer> =>
  call(service, '/admin/refunds', {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify({ payment_signature: payment, refund_signature: signature }),
  });

/** Sends USDC from the operator, and waits until it is final. */
async function give(to: string, amount: bigint, token: 'USDC' | 'USDT' = 'USDC'): Promise<string> {
  const sent = await payToken(service.rpcUrl, { from: operator, to, token, amount });
  return awaitFinalized(service, sent);
}

describe('the price list', () => {
  it('names every price, the largest one, and where to pay', async () => {
    const { status, body } = await call(service, '/pricing');
    expect(status).toBe(200);
    expect(body).toMatchObject({
      success: true,
      asset_mint: 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v',
      pay_to: service.appEnv['PAY_TO'],
      largest_price: 5,
      largest_price_raw: '5000000',
      open: true,
      reason: null,
    });
    expect(body['routes']).toContainEqual(
      expect.objectContaining({ method: 'POST', path: '/mint', least_price: 0.1, most_price: 5 }),
    );
  });
});

describe('a payment', () => {
  it('that was never presented is a 404, and an invalid signature is a 400', async () => {
    expect(await shown(UNKNOWN)).toMatchObject({ status: 404, body: { code: 'payment_unknown' } });
    expect((await shown('abc')).status).toBe(400);
  });

  it('shows everyone what it bought, and no one how it was requested', async () => {
    const { signature, payer } = await makeSale(service);
    const offer = offerOf(await mint(service, { signature }));
    const payment = await payOffer(service, { from: payer, offer, amount: 150_000n });
    const bought = await mintPaid(service, { signature, payment });
    const { status, body } = await shown(payment);
    expect(status).toBe(200);
    expect(body).toEqual({
      success: true,
      signature: payment,
      state: 'used',
      message: expect.any(String) as string,
      dialect: 'documented',
      payer: payer.address,
      pay_to: service.appEnv['PAY_TO'],
      token: 'USDC',
      amount: 0.15,
      amount_raw: '150000',
      price: 0.1,
      price_raw: '100000',
      surplus_raw: '50000',
      left_raw: '50000',
      arrived: expect.any(Array) as unknown[],
      refunds: [],
      questioned_by: null,
      slot: expect.any(Number) as number,
      block_time: expect.any(String) as string,
      bought: bought.body['receipt_id'],
      refund_signature: null,
      usable_until: null,
    });
    const story = await call(service, `/admin/payments/${payment}`, { headers: ADMIN });
    expect(story.body).toMatchObject({
      payment: { signature: payment, state: 'used', subject_id: bought.body['receipt_id'] },
      quote: { id: offer.memo, price_micros: '100000', tx_signature: signature },
      mint: { id: bought.body['receipt_id'] },
    });
  });

  it('that bought nothing is unused, is refunded once, and then buys nothing', async () => {
    const { payment, payer, amount } = await unusedPayment();
    const { body } = await shown(payment);
    expect(body).toMatchObject({ state: 'unused', bought: null, price: null });
    const madeAt = Date.parse(String(body['block_time']));
    expect(Date.parse(String(body['usable_until'])) - madeAt).toBe(90 * 86_400_000);

    const back = await give(payer.address, amount);
    const [one, two] = await Promise.all([refund(payment, back), refund(payment, back)]);
    expect([one.status, two.status]).toEqual([200, 200]);
    expect(one.body).toMatchObject({ state: 'refunded', refund_signature: back });
    expect((await refund(payment, back)).body).toEqual(one.body);
    const story = await call(service, `/admin/payments/${payment}`, { headers: ADMIN });
    expect(story.body['audit']).toEqual([
      expect.objectContaining({
        actor: 'admin',
        action: 'payment.refund',
        detail: { refundSignature: back, amountMicros: '100000', from: operator.address },
      }),
    ]);
    expect(await refund(payment, await give(payer.address, amount))).toMatchObject({
      status: 409,
      body: { code: 'refund_conflict' },
    });

    const next = await pay(service, { from: payer, to: operator, amount: 2_000_000n });
    const refused = await mintPaid(service, { signature: next, payment, wallet: payer });
    expect([refused.status, refused.body['code']]).toEqual([402, 'payment_refunded']);
  });

  it('is not refunded by a transfer that gives more than is left, or not to its payer in USDC', async () => {
    const { payment, payer, seller, amount, signature } = await unusedPayment();
    await fundWallet(service.rpcUrl, { wallet: operator.address, token: 'USDT', amount: '1' });
    const wrong = {
      'another receiver': await give(seller.address, amount),
      'too much': await give(payer.address, amount + 1n),
      'another token': await give(payer.address, amount, 'USDT'),
      'the payment itself': payment,
      'an older one': signature,
      'one that is nowhere': UNKNOWN,
    };
    for (const [what, transaction] of Object.entries(wrong))
      expect(await refund(payment, transaction), what).toMatchObject({
        status: 400,
        body: { code: 'refund_invalid' },
      });
    expect((await shown(payment)).body).toMatchObject({ state: 'unused' });
  });

  it('that was used is not refunded, and one transfer does not refund two', async () => {
    const [one, two] = [await unusedPayment(), await unusedPayment()];
    const { payer } = one;
    await service.prisma.payment.updateMany({
      where: { signature: two.payment },
      data: { payer: payer.address },
    });
    const back = await give(payer.address, one.amount);
    expect((await refund(one.payment, back)).status).toBe(200);
    expect(await refund(two.payment, back)).toMatchObject({
      status: 409,
      body: { code: 'refund_conflict' },
    });
    expect((await shown(two.payment)).body).toMatchObject({ state: 'unused' });
    const used = await service.prisma.payment.findFirstOrThrow({ where: { state: 'used' } });
    expect(await refund(used.signature ?? '', back)).toMatchObject({ status: 409 });
  });
});

describe('the admin paths', () => {
  it.each<Record<string, string>>([
    {},
    { authorization: 'Bearer nothing' },
    { authorization: `Bearer ${DESK_TOKEN}x` },
  ])('are closed to %j', async (headers) => {
    for (const answer of [
      await refund(UNKNOWN, UNKNOWN, headers),
      await call(service, `/admin/payments/${UNKNOWN}`, { headers }),
    ])
      expect(answer).toMatchObject({ status: 401, body: { code: 'admin_token_wrong' } });
  });
});

describe('when the fee payer has no SOL', () => {
  it('clients that send their own payment can pay, x402 is refused, and /health says why', async () => {
    const [one, other] = [await makeSale(service), await makeSale(service)];
    const answer = await mint(service, { signature: one.signature });
    await drainFeePayer();
    // A new process checks at once.
    await service.app.kill();
    await service.app.start();
    const reason = 'the fee payer runs low on SOL';
    const health = await call(service, '/health');
    // Reads, free receipts and other payments go on, so the process stays in the load balancer.
    expect([health.status, health.body['status']]).toEqual([200, 'degraded']);
    expect(health.body['parts']).toMatchObject({
      payments: {
        ok: false,
        detail: `partly: only payments that clients send themselves, none by x402 v1 and v2: ${reason}`,
      },
    });
    expect((await call(service, '/pricing')).body).toMatchObject({
      open: true,
      reason: null,
      x402_open: false,
      x402_reason: reason,
    });
    for (const version of ['v1', 'v2'] as const) {
      const headers = await signOffer(service, { answer, from: one.payer, version });
      const refused = await mint(service, { signature: one.signature, headers });
      expect([refused.status, refused.body['code']]).toEqual([503, 'payments_unavailable']);
      expect(refused.headers.get('retry-after')).not.toBeNull();
    }
    expect(await service.prisma.payment.count({ where: { payer: one.payer.address } })).toBe(0);
    const offered = await mint(service, { signature: other.signature });
    expect(offered.headers.get('payment-required')).toBeNull();
    expect(offered.body['accepts']).toEqual([]);
    const payment = await payOffer(service, { from: other.payer, offer: offerOf(offered) });
    const bought = await mintPaid(service, { signature: other.signature, payment });
    expect(bought.status, JSON.stringify(bought.body)).toBe(200);
    await freshReceipt(service);

    await fundWallet(service.rpcUrl, { wallet: feePayer().publicKey.toBase58(), sol: 1 });
    const isOffered = async () =>
      (await mint(service, { signature: one.signature })).headers.get('payment-required') !== null;
    await expect.poll(isOffered, { timeout: 90_000, interval: 200 }).toBe(true);
  });
});

function feePayer(): Keypair {
  const secret = parseSecretKey(readFileSync(service.appEnv['FEE_PAYER_KEY_FILE'] ?? '', 'utf8'));
  if (!secret) throw new Error('the stack made no key');
  return Keypair.fromSecretKey(secret);
}

async function drainFeePayer(): Promise<void> {
  const keypair = feePayer();
  const connection = new Connection(service.rpcUrl, 'confirmed');
  const lamports = (await connection.getBalance(keypair.publicKey)) - 5_000 - 1_000_000;
  const toPubkey = new PublicKey(operator.address);
  await sendAndConfirm(
    service.rpcUrl,
    new Transaction().add(
      SystemProgram.transfer({ fromPubkey: keypair.publicKey, toPubkey, lamports }),
    ),
    [keypair],
  );
}

describe('a flood of free receipts', () => {
  it('does not delay a paid receipt', async () => {
    await service.fault('runner', { paused: true });
    const { payer, seller } = await makePair(service);
    const free = await Promise.all(
      Array.from({ length: FLOOD }, async (_, n) => {
        const amount = 250_000n + BigInt(n);
        const signature = await pay(service, { from: payer, to: seller, amount });
        const { body } = await mint(service, { signature, wallet: payer });
        return String(body['receipt_id']);
      }),
    );
    const sale = await makeSale(service);
    const offer = offerOf(await mint(service, { signature: sale.signature }));
    const payment = await payOffer(service, { from: sale.payer, offer });
    const paid = await mintPaid(service, { signature: sale.signature, payment });
    expect(paid.status, JSON.stringify(paid.body)).toBe(200);
    // Its event is the last one that the job server has.
    const id = String(paid.body['receipt_id']);
    const queued = async () => {
      const [row] = await service.prisma.$queryRaw<{ n: number }[]>`
        select count(*)::int as n from runner.runs
        where ended_at is null and event -> 'data' ->> 'mintId' = any(${[...free, id]})`;
      return row?.n ?? 0;
    };
    await expect.poll(queued).toBe(FLOOD + 1);
    await service.fault('storage', { delayMs: 300 });
    await service.fault('runner', null);
    await awaitStatus(service, id);
    await service.fault('storage', null);
    const { completedAt } = await service.prisma.mint.findUniqueOrThrow({ where: { id } });
    const before = await service.prisma.mint.count({
      where: { id: { in: free }, completedAt: { lt: completedAt ?? new Date(0) } },
    });
    expect(completedAt).not.toBeNull();
    expect(before).toBeLessThan(FLOOD / 2);
  });
});

describe('operators with names', () => {
  const ask = (token: string, path: string, body?: unknown) =>
    call(service, path, {
      method: body === undefined ? 'GET' : 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
  const actors = async (subject: string) => {
    const rows = await service.prisma.auditEntry.findMany({
      where: { subject },
      orderBy: { id: 'asc' },
    });
    return rows.map(({ actor, action }) => [actor, action]);
  };

  it('may do what their role allows, and nothing that another role allows', async () => {
    for (const token of [ANNA, CAROL, DESK_TOKEN])
      expect((await ask(token, '/admin/mints')).status).toBe(200);
    for (const [token, path, body] of [
      [CAROL, '/admin/mints/retry', {}],
      [CAROL, '/admin/held/release', {}],
      [CAROL, '/admin/forget', { wallet_address: makeWallet().address }],
      [ANNA, '/admin/refunds', { payment_signature: UNKNOWN, hold: true }],
      [ANNA, '/admin/reconciliation', {}],
      [ANNA, '/admin/withdrawals', { signature: UNKNOWN }],
      [ANNA, '/admin/undecided/close', { signature: UNKNOWN, checked: 'two explorers' }],
    ] as const) {
      const { status, body: answer } = await ask(token, path, body);
      expect([path, status, answer['code']]).toEqual([path, 403, 'admin_role_missing']);
    }
    expect((await ask(ANNA, '/admin/mints/retry', {})).status).toBe(200);
    expect((await ask(CAROL, '/admin/reconciliation', {})).status).toBe(200);
    expect((await ask(`${ANNA}x`, '/admin/mints')).status).toBe(401);
  });

  it('appear in the audit log with their names, from the command line as well', async () => {
    const [byAnna, byFirst] = [makeWallet().address, makeWallet().address];
    const args = ['scripts/admin.ts', 'forget', byAnna, '--url', service.baseUrl];
    const env = { ...service.appEnv, ADMIN_TOKEN: '', ADMIN_OPERATOR_TOKEN: ANNA };
    const run = await runNode(['--import', 'tsx', ...args], { cwd: process.cwd(), env });
    expect(run.code, run.output).toBe(0);
    expect((await ask(DESK_TOKEN, '/admin/forget', { wallet_address: byFirst })).status).toBe(200);
    expect(await actors(byAnna)).toEqual([['admin:anna', 'jurisdiction.forget']]);
    expect(await actors(byFirst)).toEqual([['admin', 'jurisdiction.forget']]);

    const { payment, payer, amount } = await unusedPayment();
    const held = { payment_signature: payment, hold: true };
    expect((await ask(CAROL, '/admin/refunds', held)).status).toBe(200);
    const refunded = await refund(payment, await give(payer.address, amount), {
      authorization: `Bearer ${CAROL}`,
    });
    expect(refunded.status, JSON.stringify(refunded.body)).toBe(200);
    const { id } = await service.prisma.payment.findUniqueOrThrow({
      where: { signature: payment },
    });
    expect(await actors(id)).toEqual([
      ['admin:carol', 'payment.hold'],
      ['admin:carol', 'payment.refund'],
    ]);
  });
});
