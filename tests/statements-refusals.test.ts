import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { makeWallet, type Wallet } from '@/devnet/client/wallet';
import { letVanish } from './harness/let-vanish';
import { startService, type TestService } from './harness/start-service';
import { offerOf, payOffer } from './harness/use-payments';
import { aroundNow, askStatement, awaitFinal, makeAgent, payTimes } from './harness/use-statements';
import { call, callsOfNode, makePair, pay } from './harness/use-service';
import { withoutJobs } from './harness/without-jobs';

let service: TestService;
/** A wallet and its final payments. */
let agent: Wallet;
let signatures: string[];
beforeAll(async () => {
  service = await startService({ env: { STATEMENT_QUOTES_PER_CLIENT: '3' } });
  agent = await makeAgent(service);
  signatures = await payTimes(service, { from: agent, to: makeWallet(), count: 40 });
});
afterAll(() => service.close());
afterEach(async () => {
  await service.fault('chain', null);
  // Each test begins with no open offer.
  await service.prisma.quote.deleteMany();
});

const refusal = async (body: Record<string, unknown>) => {
  const { status, body: said } = await askStatement(service, body);
  return [status, said['code'], JSON.stringify(said['details'] ?? null)];
};

describe('POST /statement refuses', () => {
  it('a request that is not exactly one of list and period, and names the field', async () => {
    const wallet_address = makeWallet().address;
    const { period_start, period_end } = aroundNow();
    const list = { transactions: ['1'.repeat(64)] };
    for (const [body, field] of [
      [{ wallet_address }, 'transactions'],
      [{ wallet_address, ...list, period_start, period_end }, 'transactions'],
      [{ wallet_address, period_start }, 'period_end'],
      [{ wallet_address, period_end }, 'period_start'],
      [{ wallet_address, ...list, min_usd: 1 }, 'min_usd'],
      [{ wallet_address, period_start, period_end, min_usd: -1 }, 'min_usd'],
      [{ wallet_address, period_start: '2026-01-01', period_end }, 'period_start'],
      [{ wallet_address, period_start: period_end, period_end: period_start }, 'period_end'],
      [{ wallet_address, period_start: '2025-01-01T00:00:00Z', period_end }, 'period_start'],
      [{ wallet_address: 'nobody', period_start, period_end }, 'wallet_address'],
      [{ wallet_address, period_start, period_end, output_formats: ['pdf'] }, 'output_formats'],
      [{ wallet_address, period_start, period_end, chart: true }, 'chart'],
    ] as const) {
      const [status, code, details] = await refusal(body);
      expect([status, code], JSON.stringify(body)).toEqual([400, 'invalid_request']);
      expect(details).toContain(`"${field}`);
    }
    expect(await service.prisma.quote.count()).toBe(0);
  });

  it('a request with no payment to state, before it names a price', async () => {
    const wallet_address = makeWallet().address;
    const future = {
      period_start: new Date(Date.now() + 3_600_000).toISOString(),
      period_end: new Date(Date.now() + 7_200_000).toISOString(),
    };
    for (const body of [
      { wallet_address, ...aroundNow() },
      { wallet_address, ...future },
      { wallet_address, transactions: [] },
    ])
      expect((await refusal(body)).slice(0, 2)).toEqual([400, 'nothing_to_state']);
  });

  it('a list with another wallet’s payment or a missing one, and names it', async () => {
    const { payer, seller } = await makePair(service);
    const foreign = await pay(service, { from: payer, to: seller, amount: 50_000n });
    const mine = await makeAgent(service);
    const own = await pay(service, { from: mine, to: seller, amount: 50_000n });
    const ask = (...transactions: string[]) =>
      refusal({ wallet_address: mine.address, transactions });
    const involved = await ask(own, foreign);
    expect(involved.slice(0, 2)).toEqual([400, 'wallet_not_involved']);
    expect(involved[2]).toContain(foreign);
    const absent = '5'.repeat(87);
    const missing = await ask(own, absent);
    expect(missing.slice(0, 2)).toEqual([400, 'transaction_not_found']);
    expect(missing[2]).toContain(absent);
  });

  it('more open offers from one address than the limit, but no repeat of an open one', async () => {
    const ask = (signature: string | undefined) =>
      askStatement(service, { wallet_address: agent.address, transactions: [signature] });
    for (const signature of signatures.slice(0, 3)) expect((await ask(signature)).status).toBe(402);
    const fourth = await ask(signatures[3]);
    expect(fourth.status).toBe(429);
    expect(fourth.body).toEqual({
      error: expect.stringMatching(/^This address has 3 offers open/),
    });
    expect(Number(fourth.headers.get('retry-after'))).toBeGreaterThan(60);
    expect((await ask(signatures[0])).status).toBe(402);
  });

  it('a payment that the same statement lists', async () => {
    const [first] = signatures;
    const body = { wallet_address: agent.address, transactions: [first] };
    const { status, body: said } = await askStatement(service, body, { 'x-payment': first ?? '' });
    expect([status, said['code'], said['reason']]).toEqual([
      402,
      'payment_is_the_transaction',
      'payment_is_the_transaction',
    ]);
  });

  it('a payment that the offer itself lists, because it was made before the offer', async () => {
    const buyer = await makeAgent(service);
    const some = { wallet_address: agent.address, transactions: [signatures[0]] };
    const offer = offerOf(await askStatement(service, some));
    const payment = await payOffer(service, { from: buyer, offer, memo: null });
    await awaitFinal(service, [payment]);
    const body = { wallet_address: buyer.address, ...aroundNow() };
    expect(offerOf(await askStatement(service, body)).amount).toBe(offer.amount);
    const { status, body: said } = await askStatement(service, body, { 'x-payment': payment });
    // By its slot it is older than every offer that could list it.
    expect([status, said['code']]).toEqual([402, 'payment_without_quote']);
    expect(await service.prisma.payment.count({ where: { signature: payment } })).toBe(0);
  });
});

describe('a scan', () => {
  it('stops with 503 when the chain fails in the middle, and the repeat reads only the rest', async () => {
    const where = { signature: { in: signatures } };
    await service.prisma.readTransfer.deleteMany({ where });
    await service.fault('chain', null);
    await service.fault('chain', { delayMs: { getTransaction: 500 } });
    const body = { wallet_address: agent.address, ...aroundNow() };
    const running = askStatement(service, body);
    while (((await callsOfNode(service))['getTransaction'] ?? 0) < 20) await sleep(5);
    await service.fault('chain', { failMethods: { getTransaction: { status: 503 } } });
    const refused = await running;
    expect([refused.status, refused.body['code']]).toEqual([503, 'chain_unavailable']);
    const kept = await service.prisma.readTransfer.count({ where });
    expect(kept).toBeGreaterThanOrEqual(1);
    await withoutJobs(service, async () => {
      await service.fault('chain', null);
      const again = await askStatement(service, body);
      expect(again.body, JSON.stringify(again.body)).toMatchObject({ tx_count: 41 });
      // The two transactions of the faucet are in the history as well.
      expect((await callsOfNode(service))['getTransaction']).toBeLessThanOrEqual(42 - kept);
    });
  });
});

describe('a payment that vanishes before it is final', () => {
  it('ends the statement without an NFT, and buys nothing', async () => {
    const body = { wallet_address: agent.address, transactions: [signatures[0]] };
    const offer = offerOf(await askStatement(service, body));
    await service.fault('chain', { holdFinality: true });
    const payment = await payOffer(service, { from: agent, offer });
    const early = await askStatement(service, body, { 'x-payment': payment, prefer: 'wait=0' });
    expect(early.status, JSON.stringify(early.body)).toBe(202);
    await letVanish(service, payment);
    const id = String(early.body['statement_id']);
    const path = `/statement/${id}?wait=10`;
    let read = await call(service, path);
    while (read.body['mint_status'] === 'pending') read = await call(service, path);
    expect([read.status, read.body['mint_status'], read.body['nft_mint']]).toEqual([
      200,
      'failed',
      null,
    ]);
    expect(await service.prisma.mint.findUnique({ where: { id } })).toMatchObject({
      lastError: 'payment_dropped',
      attempts: 0,
    });
    expect(
      await service.prisma.payment.findUnique({ where: { signature: payment } }),
    ).toMatchObject({ state: 'unused', reason: 'payment_dropped' });
    const again = await askStatement(service, body, { 'x-payment': payment });
    expect([again.status, again.body['code']]).toEqual([402, 'payment_failed']);
  });
});
