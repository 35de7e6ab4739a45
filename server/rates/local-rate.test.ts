import { describe, expect, it } from 'vitest';
import { countryOf, SUPPORTED_COUNTRIES } from './countries';
import { priceToken } from './find-rate';
import { refusal, openRates } from './rate-server.fixture';
import { ECB } from './rate-sources.fixture';
import { ratesForDays, valueLocally } from './local-rate';

const rates = openRates();

describe('fixed rates', () => {
  it('of the dollar and the dirham need no source', async () => {
    rates.sources.fails = 0;
    expect(await rates.inCountry('US', '2020-03-16')).toMatchObject({
      rate: '1',
      localMinor: 1235n,
      rateSource: 'identity',
      rateDate: '2020-03-16',
      provisional: false,
    });
    expect(await rates.inCountry('AE', '2026-02-28')).toMatchObject({
      rate: '3.6725',
      localMinor: 4534n,
      rateSource: 'AED peg 3.6725',
    });
    expect(rates.sources.asked).toEqual([]);
  });
});

describe('the price of a token', () => {
  it('in euros is the euro’s rate, and returns the exact amount in a euro country', async () => {
    const price = await priceToken(rates.ctx, {
      token: { valuation: { fx: 'EUR' } },
      day: '2025-12-26',
    });
    expect(price).toMatchObject({
      basis: 'fx',
      isProvisional: false,
      source: 'ECB reference rate: EUR/USD 1.1787 of 2025-12-24',
    });
    const token = { amountRaw: 10_005_000n, decimals: 6, valuation: 'fx' };
    const value = (country: string) =>
      valueLocally({ ctx: rates.ctx, country, day: '2025-12-26', usdMicros: 11_792_894n, token });
    for (const country of ['EU', 'de', 'FR', 'NL', 'ES', 'IT'])
      expect(await value(country)).toMatchObject({ currency: 'EUR', localMinor: 1001n });
    expect((await value('US')).localMinor).toBe(1179n);
    // By way of the dollar, rounded down to 0.005893, half a cent would be less than half.
    rates.sources.ecb = { '2025-11-03': { USD: '1.17866' } };
    const half = { ...token, amountRaw: 5_000n };
    expect(
      await valueLocally({
        ctx: rates.ctx,
        country: 'DE',
        day: '2025-11-03',
        usdMicros: 5_893n,
        token: half,
      }),
    ).toMatchObject({ localMinor: 1n });
  });

  it('of SOL is the close of its day, exact', async () => {
    rates.sources.candles = { '2025-12-23': 120.01, '2025-12-24': 122.53, '2025-12-25': 99 };
    expect(
      await priceToken(rates.ctx, { token: { valuation: 'market' }, day: '2025-12-24' }),
    ).toEqual({
      usdPerUnit: { num: 12_253n, den: 100n },
      basis: 'market',
      isProvisional: false,
      source: 'Coinbase SOL-USD daily close: SOL/USD 122.53 of 2025-12-24',
    });
  });

  it('goes into the local amount unrounded', async () => {
    // 1 lamport at 122.53 USD is 0.00000012253 USD, in rupiah 0.0020520...: 0.2 sen, a fifth of the unit.
    const token = {
      amountRaw: 3n,
      decimals: 9,
      valuation: 'market',
      usdPerUnit: { num: 12_253n, den: 100n },
    };
    const value = (usdMicros: bigint) =>
      valueLocally({ ctx: rates.ctx, country: 'ID', day: '2025-12-24', usdMicros, token });
    expect((await value(0n)).localMinor).toBe(1n);
    // Priced at another price, which stands: 2 micro-dollars are 3.35 sen.
    expect((await value(2n)).localMinor).toBe(3n);
  });

  it('is par or nothing without a source', async () => {
    rates.sources.fails = 0;
    const price = (valuation: 'par' | null) =>
      priceToken(rates.ctx, { token: { valuation }, day: '2020-01-01' });
    expect(await price('par')).toMatchObject({ usdPerUnit: { num: 1n, den: 1n }, source: null });
    expect(await price(null)).toBeNull();
  });
});

describe('countries', () => {
  it('are 39 codes in any case, with the minor units of ISO 4217', () => {
    expect(SUPPORTED_COUNTRIES.join(' ')).toBe(
      'US GB EU DE FR CA AU JP SG CH AE NL ES IT BR MX IN KR HK CN NZ SE NO DK PL ZA TH ID MY PH VN TR RU IL NG AR CL CO PE',
    );
    const withoutMinor = SUPPORTED_COUNTRIES.filter((code) => countryOf(code)?.minorUnits === 0);
    expect(withoutMinor).toEqual(['JP', 'KR', 'VN', 'CL']);
    expect(SUPPORTED_COUNTRIES.filter((code) => countryOf(code)?.minorUnits === 2)).toHaveLength(
      35,
    );
    expect(countryOf('gB')).toEqual({ code: 'GB', currency: 'GBP', minorUnits: 2 });
    for (const code of ['XX', '', 'USA', 'constructor', 'UK']) expect(countryOf(code)).toBeNull();
  });

  it('that are not supported are a 400 that lists the codes', async () => {
    const error = await refusal(rates.inCountry('XX', '2025-12-24'));
    expect([error.code, error.status]).toEqual(['unsupported_country', 400]);
    for (const code of SUPPORTED_COUNTRIES) expect(error.message).toContain(code);
  });
});

describe('rates for many days', () => {
  const weekdays = Object.keys(ECB).filter((day) => day >= '2025-12-01');

  it('are looked up once a day, and each says for itself when there is none', async () => {
    const days = ['2025-12-23', '2025-12-24', '2025-12-24', '2025-12-28', '2019-01-01'];
    const found = await ratesForDays({ ctx: rates.ctx, country: 'gb', days });
    expect([...found.keys()].sort()).toEqual([...new Set(days)].sort());
    expect(found.get('2025-12-28')).toMatchObject({
      rateDate: '2025-12-24',
      rate: '0.7405616357',
    });
    expect(found.get('2019-01-01')).toEqual({ error: expect.stringContaining('2019-01-01') });
    const asked = rates.sources.asked.length;
    await ratesForDays({ ctx: rates.ctx, country: 'GB', days: weekdays });
    expect(rates.sources.asked).toHaveLength(asked + 1);
  });

  it('stop asking a source that is down, and still give what is kept', async () => {
    await ratesForDays({ ctx: rates.ctx, country: 'GB', days: ['2025-12-24'] });
    const days = Array.from({ length: 300 }, (_, i) =>
      new Date(Date.UTC(2025, 2, 1 + i)).toISOString().slice(0, 10),
    );
    rates.sources.asked.length = 0;
    rates.sources.fails = 503;
    const found = await ratesForDays({ ctx: rates.ctx, country: 'GB', days });
    expect(found.get('2025-12-24')).toMatchObject({ rate: '0.7405616357' });
    expect([...found.values()].filter((rate) => 'error' in rate)).toHaveLength(299);
    expect(rates.sources.asked.length).toBeLessThan(20);
  });
});
