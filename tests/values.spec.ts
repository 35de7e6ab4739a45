import { SystemProgram, Transaction } from '@solana/web3.js';
import { beforeAll, describe, expect, it } from 'vitest';
import { sendAndConfirm } from '@/devnet/client/pay-token';
import { readSampleRates } from '@/devnet/rates/sample-rates';
import type { Wallet } from '@/devnet/client/wallet';
import { clearOfMidnight } from './harness/clear-of-midnight';
import { sharedService } from './harness/shared-service';
import type { TestService } from './harness/start-service';
import { call, makePair, mint, pay } from './harness/use-service';

const COUNTRIES =
  'US GB EU DE FR CA AU JP SG CH AE NL ES IT BR MX IN KR HK CN NZ SE NO DK PL ZA TH ID MY PH VN TR RU IL NG AR CL CO PE'.split(
    ' ',
  );
const sample = readSampleRates();
const usdPerEuro = sample.perEuro.get('USD') ?? 0;

let service: TestService;
let dollars: { payer: Wallet; seller: Wallet; signature: string };

beforeAll(async () => {
  // The rates of its payments are those of their day.
  await clearOfMidnight();
  service = await sharedService();
  const pair = await makePair(service);
  const amount = 12_345_678n;
  dollars = {
    ...pair,
    signature: await pay(service, { from: pair.payer, to: pair.seller, amount }),
  };
});

const calculate = (signature: string, query: string) =>
  call(service, `/calculate/${signature}${query}`);
const verify = async (signature: string) =>
  (await call(service, `/verify/${signature}`)).body['transaction'] as Record<string, unknown>;
const paySol = (from: Wallet, to: Wallet, lamports: number) =>
  sendAndConfirm(
    service.rpcUrl,
    new Transaction().add(
      SystemProgram.transfer({
        fromPubkey: from.keypair.publicKey,
        toPubkey: to.keypair.publicKey,
        lamports,
      }),
    ),
    [from.keypair],
  );
const today = () => new Date().toISOString().slice(0, 10);

describe('GET /calculate', () => {
  it('answers in every country, by rates that are marked as samples', async () => {
    for (const country of COUNTRIES) {
      const { status, body } = await calculate(dollars.signature, `?country=${country}`);
      expect([country, status]).toEqual([country, 200]);
      expect(body).toMatchObject({
        success: true,
        usd_amount: 12.345678,
        token: 'USDC',
        amount: 12.345678,
        amount_raw: '12345678',
        valuation: 'par',
        valuation_source: null,
        country,
        rate_date: today(),
      });
      const whole = ['JPY', 'KRW', 'VND', 'CLP'].includes(String(body['local_currency']));
      expect(body['local_decimals']).toBe(whole ? 0 : 2);
      const fixed = { US: 'identity', AE: 'AED peg 3.6725' }[country];
      expect(body['rate_source']).toBe(fixed ?? `sample rates of ${sample.day}, not real`);
      const least = whole ? 1 : 0.01;
      const expected = 12.345678 * Number(body['exchange_rate']);
      expect(Math.abs(Number(body['local_amount']) - expected)).toBeLessThanOrEqual(
        least / 2 + 1e-6,
      );
    }
  });

  it('uses the ECB where it has the currency, else the blend for one dollar', async () => {
    await service.prisma.rate.deleteMany();
    for (const country of ['GB', 'VN'])
      expect((await calculate(dollars.signature, `?country=${country}`)).body).toMatchObject({
        rate_date: today(),
        rate_provisional: true,
      });
    const rows = await service.prisma.rate.findMany({ orderBy: { quote: 'asc' } });
    expect(rows).toMatchObject([
      { quote: 'GBP', base: 'EUR', rate: String(sample.perEuro.get('GBP')), final: false },
      { quote: 'VND', base: 'USD', usdRate: '1', final: false },
    ]);
    expect(rows[0]?.usdRate).toBe(String(usdPerEuro));
  });

  it('takes the country in upper or lower case', async () => {
    const lower = await calculate(dollars.signature, '?country=gb');
    expect(lower.body).toEqual((await calculate(dollars.signature, '?country=GB')).body);
  });

  it.each(['', '?country=', '?country=XX', '?country=USA'])(
    'refuses %j and lists the codes',
    async (query) => {
      const { status, body } = await calculate(dollars.signature, query);
      expect([status, body['success'], body['status_code'], body['code']]).toEqual([
        ...[400, false, 400, 'unsupported_country'],
      ]);
      for (const code of COUNTRIES) expect(body['error']).toContain(code);
    },
  );

  it('refuses a transaction with the same error as every route', async () => {
    const { status, body } = await calculate('5'.repeat(87), '?country=GB');
    expect([status, body['code']]).toEqual([400, 'transaction_not_found']);
    expect(body['error']).toMatch(/^Transaction verification failed: /);
    expect((await calculate('nonsense', '?country=GB')).body['code']).toBe('invalid_request');
    expect((await call(service, '/calculate')).status).toBe(404);
  });
});

describe('a payment in euros', () => {
  it('is the same amount in a euro country, and one dollar value on every route', async () => {
    const { payer, seller } = await makePair(service, 'EURC');
    const signature = await pay(service, {
      from: payer,
      to: seller,
      amount: 505_000n,
      token: 'EURC',
    });
    const usd = Math.round(0.505 * usdPerEuro * 1e6) / 1e6;
    for (const country of ['EU', 'DE', 'FR', 'NL', 'ES', 'IT'])
      expect((await calculate(signature, `?country=${country}`)).body).toMatchObject({
        local_currency: 'EUR',
        local_amount: 0.51,
        usd_amount: usd,
        valuation: 'fx',
        token: 'EURC',
        exchange_rate: expect.closeTo(1 / usdPerEuro, 8),
        rate_provisional: true,
      });
    const receipt = await mint(service, { signature, wallet: payer });
    expect(receipt.status, JSON.stringify(receipt.body)).toBe(200);
    const { body } = await call(service, `/receipt/${String(receipt.body['receipt_id'])}`);
    const source = `sample rates of ${sample.day}, not real: EUR/USD ${usdPerEuro} of ${today()}`;
    expect(body).toMatchObject({ usd_amount: usd, valuation: 'fx', valuation_source: source });
    expect(await verify(signature)).toMatchObject({
      usd_amount: usd,
      valuation: 'fx',
      valuation_source: source,
      dtif_code: 'FZQ4WZNHC',
    });
  });

  it('above one dollar is not free, even if it is less than one euro', async () => {
    const { payer, seller } = await makePair(service, 'EURC');
    const signature = await pay(service, {
      from: payer,
      to: seller,
      amount: 950_000n,
      token: 'EURC',
    });
    const { status } = await mint(service, { signature, wallet: payer });
    expect([402, 503]).toContain(status);
  });
});

describe('a payment in SOL', () => {
  it('is valued at the price of its day, which decides whether it is free', async () => {
    const signature = await paySol(dollars.payer, dollars.seller, 5_000_000);
    const usd = Math.round(0.005 * sample.solInDollars * 1e6) / 1e6;
    expect(await verify(signature)).toMatchObject({
      token: 'SOL',
      mint: null,
      amount: 0.005,
      usd_amount: usd,
      valuation: 'market',
      valuation_source: `sample price of ${sample.day}, not real: SOL/USD ${sample.solInDollars} of ${today()}`,
      usd_provisional: true,
    });
    expect((await mint(service, { signature, wallet: dollars.payer })).body).toMatchObject({
      asset_name: 'SOL',
      dtif_code: '20J63Z4N3',
    });
    expect((await calculate(signature, '?country=JP')).body).toMatchObject({
      token: 'SOL',
      valuation: 'market',
      local_currency: 'JPY',
    });
    const large = await paySol(dollars.payer, dollars.seller, 50_000_000);
    expect([402, 503]).toContain(
      (await mint(service, { signature: large, wallet: dollars.payer })).status,
    );
  });
});

describe('GET /verify', () => {
  it('gives every fact of the transfer', async () => {
    const { payer, seller } = await makePair(service);
    const signature = await pay(service, {
      from: payer,
      to: seller,
      amount: 1_250_000n,
      memo: 'order 7',
    });
    expect(await verify(signature)).toEqual({
      amount: 1.25,
      token: 'USDC',
      sender: payer.address,
      receiver: seller.address,
      status: expect.stringMatching(/^(settled|pending)$/),
      tx_signature: signature,
      amount_raw: '1250000',
      amount_sent: 1.25,
      amount_sent_raw: '1250000',
      decimals: 6,
      mint: 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v',
      token_program: 'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA',
      dtif_code: '5R3XFPZSM',
      group_code: 'TJWK5QTRK',
      fee_withheld: 0,
      fee_withheld_raw: '0',
      other_legs: [],
      fee_payer: payer.address,
      memos: ['order 7'],
      references: [],
      payer_kind: 'wallet',
      seller_kind: 'wallet',
      goods: [],
      change: [],
      paid_with: [],
      prices: [],
      left_out: expect.any(Array),
      slot: expect.any(Number),
      block_time: expect.stringContaining(today().slice(0, 7)),
      usd_amount: 1.25,
      usd_amount_raw: '1250000',
      valuation: 'par',
      valuation_source: null,
      usd_provisional: false,
      valuation_error: null,
    });
  });
});

describe('during an outage of the rate source', () => {
  it('stored rates are used, other answers are a 503, and the chain is still read', async () => {
    await service.prisma.rate.deleteMany();
    await calculate(dollars.signature, '?country=GB');
    const sol = await paySol(dollars.payer, dollars.seller, 1_000_000);
    await service.fault('rates', { down: true });
    try {
      expect((await calculate(dollars.signature, '?country=GB')).status).toBe(200);
      expect((await calculate(dollars.signature, '?country=US')).status).toBe(200);
      const { status, body, headers } = await calculate(dollars.signature, '?country=JP');
      expect([status, body['code'], headers.get('retry-after')]).toEqual([
        503,
        'rates_unavailable',
        '30',
      ]);
      expect(await verify(sol)).toMatchObject({
        amount: 0.001,
        usd_amount: null,
        valuation: null,
        valuation_error: expect.stringContaining('did not answer'),
      });
      expect((await mint(service, { signature: sol, wallet: dollars.payer })).body['code']).toBe(
        'rates_unavailable',
      );
    } finally {
      await service.fault('rates', null);
    }
    expect((await calculate(dollars.signature, '?country=JP')).status).toBe(200);
  });
});

describe('a final transaction', () => {
  it('is read from the chain once for all routes', async () => {
    await expect.poll(async () => (await verify(dollars.signature))['status']).toBe('settled');
    const before = await verify(dollars.signature);
    await service.chain.kill();
    expect(await verify(dollars.signature)).toEqual(before);
    expect((await calculate(dollars.signature, '?country=DE')).status).toBe(200);
  });
});
