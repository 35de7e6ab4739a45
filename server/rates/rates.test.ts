import { afterAll, beforeAll, beforeEach, afterEach, describe, expect, it } from 'vitest';
import { ServiceError } from '@/server/errors';
import { createTestDatabase, type TestDatabase } from '@/tests/harness/create-test-database';
import { SUPPORTED_COUNTRIES, countryOf } from './countries';
import { findRate } from './find-rate';
import { priceToken } from './price-token';
import { ECB, ratesContext, startSources, type TestSources } from './rate-server.fixture';
import type { RatesContext } from './rates-context';
import { ratesForDays } from './rates-for-days';
import { keepRate } from './store-rate';
import { valueLocally } from './value-locally';

let database: TestDatabase;
let sources: TestSources;
let ctx: RatesContext;
const now = { at: '' };

beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.close());
beforeEach(async () => {
  await database.prisma.rate.deleteMany();
  sources = await startSources();
  now.at = '2026-03-01T12:00:00Z';
  ctx = ratesContext(database.prisma, sources, now);
});
afterEach(() => sources.close());

/** 12.345678 dollars in a country's currency. */
const inCountry = (country: string, day: string) =>
  valueLocally({
    ...{ ctx, country, day, usdMicros: 12_345_678n },
    token: { amountRaw: 12_345_678n, decimals: 6, valuation: 'par' },
  });
async function refusal(promise: Promise<unknown>): Promise<ServiceError> {
  const error: unknown = await promise.then(
    () => new Error('was answered'),
    (thrown: unknown) => thrown,
  );
  if (error instanceof ServiceError) return error;
  throw error;
}

describe('a rate of a day', () => {
  it.each([
    ['DE', 'EUR', '0.848392296598', 1047n],
    ['GB', 'GBP', '0.7405616357', 914n],
    ['JP', 'JPY', '155.959955884', 1925n],
    ['KR', 'KRW', '1448.23958598', 17879n],
    ['ID', 'IDR', '16747.5014847', 20675926n],
    ['IN', 'INR', '89.7391193688', 110789n],
    ['CH', 'CHF', '0.787647408162', 972n],
  ])(
    'is the last one before a holiday, crossed and rounded once: %s',
    async (country, currency, rate, minor) => {
      for (const day of ['2025-12-24', '2025-12-25', '2025-12-26', '2025-12-27', '2025-12-28'])
        expect(await inCountry(country, day)).toMatchObject({
          ...{ currency, rate, rateDate: '2025-12-24', localMinor: minor },
          ...{ rateSource: 'ECB reference rate', provisional: false },
        });
    },
  );

  it.each([
    ['FR', '2025-06-13', '2025-06-13', 1072n],
    ['JP', '2025-06-13', '2025-06-13', 1780n],
    ['NL', '2024-03-02', '2024-03-01', 1142n],
    ['JP', '2024-03-02', '2024-03-01', 1859n],
  ])('of %s on %s is that of %s', async (country, day, rateDate, localMinor) => {
    expect(await inCountry(country, day)).toMatchObject({ rateDate, localMinor });
  });

  it('is never one of a later day, nor one of more than seven days ago', async () => {
    sources.ecb = {
      '2025-12-01': { USD: '1.1', GBP: '0.8' },
      '2025-12-10': { USD: '1.2', GBP: '0.9' },
    };
    expect(await inCountry('GB', '2025-12-08')).toMatchObject({ rateDate: '2025-12-01' });
    const { code, status, message } = await refusal(inCountry('GB', '2025-12-09'));
    expect([code, status]).toEqual(['rate_not_covered', 400]);
    expect(message).toContain('2025-12-09');
  });

  it('is asked for once, and is the same for ever, whatever the source says later', async () => {
    const first = await inCountry('GB', '2025-12-26');
    const { length } = sources.asked;
    sources.ecb['2025-12-25'] = { USD: '9.9', GBP: '9.9' };
    sources.ecb['2025-12-24'] = { USD: '9.9', GBP: '9.9' };
    now.at = '2027-01-01T00:00:00Z';
    expect(await inCountry('GB', '2025-12-26')).toEqual(first);
    expect(sources.asked).toHaveLength(length);
  });

  it('takes figures of one and the same day for both halves of a cross', async () => {
    sources.ecb = {
      '2025-12-22': { USD: '1.1', COP: '4000' },
      '2025-12-23': { USD: '1.3' },
      '2025-12-24': { COP: '5000' },
    };
    expect(await inCountry('CO', '2025-12-24')).toMatchObject({
      ...{ rateDate: '2025-12-22', rate: '3636.36363636', localMinor: 4489337n },
    });
  });

  it('is looked up once for requests of the same moment', async () => {
    const all = await Promise.all(Array.from({ length: 20 }, () => inCountry('GB', '2025-12-24')));
    expect(new Set(all.map(({ rate }) => rate)).size).toBe(1);
    expect(sources.asked).toHaveLength(1);
  });

  it('is one for all processes: whoever keeps the final one first', async () => {
    const rate = (rate: string, final: boolean, fetchedAt: string) =>
      keepRate(database.prisma, {
        ...{
          quote: 'GBP',
          day: '2025-12-24',
          publishedOn: '2025-12-24',
          base: 'EUR',
          usdRate: '1',
        },
        ...{ source: 'x', rate, final, fetchedAt: new Date(fetchedAt) },
      });
    const kept = async (...of: Parameters<typeof rate>) => (await rate(...of)).usdPerUnit.den;
    expect(await kept('2', false, '2025-12-24T10:00:00Z')).toBe(2n);
    expect(await kept('3', false, '2025-12-24T09:00:00Z')).toBe(2n);
    expect(await kept('4', true, '2025-12-27T09:00:00Z')).toBe(4n);
    expect(await kept('5', true, '2025-12-27T09:00:01Z')).toBe(4n);
    expect(await kept('6', false, '2025-12-28T09:00:00Z')).toBe(4n);
  });

  it('keeps the parameters of the setting', async () => {
    ctx = {
      ...ctx,
      env: { ...ctx.env, rates: { ...ctx.env.rates, url: `${sources.url}?providers=ECB` } },
    };
    await inCountry('GB', '2025-12-24');
    expect(sources.asked[0]).toMatch(
      /^\/v2\/rates\?providers=ECB&base=EUR&quotes=USD%2CGBP&from=2025-12-17&to=2025-12-31$/,
    );
  });
});

describe('a rate that may still change', () => {
  it('is provisional until the source has published for a later day', async () => {
    delete sources.ecb['2025-12-29'];
    now.at = '2025-12-26T18:00:00Z';
    expect(await inCountry('GB', '2025-12-26')).toMatchObject({
      rateDate: '2025-12-24',
      provisional: true,
    });
    now.at = '2025-12-28T18:00:00Z';
    sources.ecb['2025-12-26'] = { USD: '1.2', GBP: '0.9' };
    expect(await inCountry('GB', '2025-12-26')).toMatchObject({
      rateDate: '2025-12-26',
      rate: '0.75',
      provisional: true,
    });
    now.at = '2025-12-28T20:00:00Z';
    sources.ecb['2025-12-27'] = { USD: '1.3', GBP: '0.8' };
    expect(await inCountry('GB', '2025-12-26')).toMatchObject({ rate: '0.75', provisional: false });
  });

  it('is final 48 hours after the end of its day, to the second', async () => {
    delete sources.ecb['2025-12-29'];
    now.at = '2025-12-28T23:59:59Z';
    expect(await inCountry('GB', '2025-12-26')).toMatchObject({ provisional: true });
    now.at = '2025-12-29T00:10:00Z';
    expect(await inCountry('GB', '2025-12-26')).toMatchObject({ provisional: false });
  });

  it('is asked for again after ten minutes and not before', async () => {
    delete sources.ecb['2025-12-29'];
    now.at = '2025-12-24T18:00:00Z';
    await inCountry('GB', '2025-12-24');
    now.at = '2025-12-24T18:09:59Z';
    await inCountry('GB', '2025-12-24');
    expect(sources.asked).toHaveLength(1);
    now.at = '2025-12-24T18:10:00Z';
    await inCountry('GB', '2025-12-24');
    expect(sources.asked).toHaveLength(2);
  });
});

describe.each([0, 500, 429, 200])('a source that answers %s instead of rates', (status) => {
  it('is a 503, unless the rate of that very day is kept', async () => {
    delete sources.ecb['2025-12-29'];
    now.at = '2025-12-26T18:00:00Z';
    await inCountry('GB', '2025-12-24');
    await inCountry('GB', '2025-12-26');
    now.at = '2025-12-26T20:00:00Z';
    sources.fails = status;
    expect(await inCountry('GB', '2025-12-24')).toMatchObject({ localMinor: 914n });
    for (const day of ['2025-12-26', '2025-12-23']) {
      const { code, status: answered, retryAfterS } = await refusal(inCountry('GB', day));
      expect([code, answered, retryAfterS]).toEqual(['rates_unavailable', 503, 30]);
    }
  });
});

describe('the second source', () => {
  it('has what the first does not, by walking back over missing files', async () => {
    sources.files = {
      '2025-12-08': { cop: 3368.96109648, pen: 3.4 },
      '2025-12-11': { cop: 3400 },
    };
    expect(await inCountry('CO', '2025-12-10')).toMatchObject({
      ...{ rate: '3368.96109648', rateDate: '2025-12-08', rateSource: 'currency-api daily rates' },
      ...{ localMinor: 4159211n, provisional: false },
    });
    expect(sources.asked.filter((path) => path.startsWith('/files/'))).toEqual([
      '/files/2025-12-10/currencies/usd.min.json',
      '/files/2025-12-09/currencies/usd.min.json',
      '/files/2025-12-08/currencies/usd.min.json',
    ]);
    expect((await refusal(inCountry('CO', '2025-12-07'))).code).toBe('rate_not_covered');
    expect((await refusal(inCountry('PE', '2025-12-16'))).code).toBe('rate_not_covered');
  });

  it('says that a later day is published, and so that a young rate is final', async () => {
    now.at = '2025-12-10T20:00:00Z';
    sources.files = { '2025-12-09': { cop: 3368 } };
    expect(await inCountry('CO', '2025-12-09')).toMatchObject({ provisional: true });
    sources.files['2025-12-10'] = { cop: 3400 };
    now.at = '2025-12-10T21:00:00Z';
    expect(await inCountry('CO', '2025-12-09')).toMatchObject({ rate: '3368', provisional: false });
  });

  it('is not asked while the first is down', async () => {
    sources.files = { '2025-12-24': { gbp: 0.5 } };
    const broken = { ...ctx.env.rates, url: 'http://127.0.0.1:1' };
    ctx = { ...ctx, env: { ...ctx.env, rates: broken } };
    expect((await refusal(inCountry('GB', '2025-12-24'))).code).toBe('rates_unavailable');
    expect(sources.asked).toEqual([]);
  });

  it('must not give the file of another day', async () => {
    const latest = { ...ctx.env.rates, datedUrl: `${sources.url}/files/2025-12-11/for-{date}` };
    ctx = { ...ctx, env: { ...ctx.env, rates: latest } };
    sources.files = { '2025-12-11': { cop: 3400 } };
    expect((await refusal(inCountry('CO', '2025-12-10'))).code).toBe('rates_unavailable');
  });
});

describe('a day before all coverage', () => {
  it('is a 400 that names the first day there is', async () => {
    sources.firstDays = { GBP: '2024-05-01', VND: '2023-10-02' };
    const gbp = await refusal(inCountry('GB', '2023-01-10'));
    expect([gbp.code, gbp.status, gbp.details['first_day']]).toEqual([
      'rate_not_covered',
      400,
      '2024-03-02',
    ]);
    expect(gbp.message).toContain('2024-03-02');
    expect((await refusal(inCountry('VN', '2023-01-10'))).message).toContain('2023-10-02');
    expect(sources.asked.some((path) => path.startsWith('/files/'))).toBe(false);
  });

  it('of SOL is one before it was traded', async () => {
    const error = await refusal(findRate(ctx, { quote: 'SOL', day: '2021-06-16' }));
    expect([error.status, error.details['first_day']]).toEqual([400, '2021-06-17']);
  });
});

describe('fixed rates', () => {
  it('of the dollar and the dirham need no source', async () => {
    sources.fails = 0;
    expect(await inCountry('US', '2020-03-16')).toMatchObject({
      ...{
        rate: '1',
        localMinor: 1235n,
        rateSource: 'identity',
        rateDate: '2020-03-16',
        provisional: false,
      },
    });
    expect(await inCountry('AE', '2026-02-28')).toMatchObject({
      ...{ rate: '3.6725', localMinor: 4534n, rateSource: 'AED peg 3.6725' },
    });
    expect(sources.asked).toEqual([]);
  });
});

describe('the price of a token', () => {
  it('in euros is the euro’s rate, and gives back the exact amount in a euro country', async () => {
    const price = await priceToken(ctx, { token: { valuation: { fx: 'EUR' } }, day: '2025-12-26' });
    expect(price).toMatchObject({
      ...{ basis: 'fx', isProvisional: false },
      source: 'ECB reference rate: EUR/USD 1.1787 of 2025-12-24',
    });
    const token = { amountRaw: 10_005_000n, decimals: 6, valuation: 'fx' };
    const value = (country: string) =>
      valueLocally({ ctx, country, day: '2025-12-26', usdMicros: 11_792_894n, token });
    for (const country of ['EU', 'de', 'FR', 'NL', 'ES', 'IT'])
      expect(await value(country)).toMatchObject({ currency: 'EUR', localMinor: 1001n });
    expect((await value('US')).localMinor).toBe(1179n);
    // By way of the dollar, rounded down to 0.005893, half a cent would be less than half.
    sources.ecb = { '2025-11-03': { USD: '1.17866' } };
    const half = { ...token, amountRaw: 5_000n };
    expect(
      await valueLocally({ ctx, country: 'DE', day: '2025-11-03', usdMicros: 5_893n, token: half }),
    ).toMatchObject({ localMinor: 1n });
  });

  it('of SOL is the close of its day, exact', async () => {
    sources.candles = { '2025-12-23': 120.01, '2025-12-24': 122.53, '2025-12-25': 99 };
    expect(await priceToken(ctx, { token: { valuation: 'market' }, day: '2025-12-24' })).toEqual({
      ...{ usdPerUnit: { num: 12_253n, den: 100n }, basis: 'market', isProvisional: false },
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
      valueLocally({ ctx, country: 'ID', day: '2025-12-24', usdMicros, token });
    expect((await value(0n)).localMinor).toBe(1n);
    // Priced at another price, which stands: 2 micro-dollars are 3.35 sen.
    expect((await value(2n)).localMinor).toBe(3n);
  });

  it('is par or nothing without a source', async () => {
    sources.fails = 0;
    const price = (valuation: 'par' | null) =>
      priceToken(ctx, { token: { valuation }, day: '2020-01-01' });
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
    const error = await refusal(inCountry('XX', '2025-12-24'));
    expect([error.code, error.status]).toEqual(['unsupported_country', 400]);
    for (const code of SUPPORTED_COUNTRIES) expect(error.message).toContain(code);
  });
});

describe('rates for many days', () => {
  const weekdays = Object.keys(ECB).filter((day) => day >= '2025-12-01');

  it('are looked up once a day, and each says for itself when there is none', async () => {
    const days = ['2025-12-23', '2025-12-24', '2025-12-24', '2025-12-28', '2019-01-01'];
    const rates = await ratesForDays({ ctx, country: 'gb', days });
    expect([...rates.keys()].sort()).toEqual([...new Set(days)].sort());
    expect(rates.get('2025-12-28')).toMatchObject({
      rateDate: '2025-12-24',
      rate: '0.7405616357',
    });
    expect(rates.get('2019-01-01')).toEqual({ error: expect.stringContaining('2019-01-01') });
    const asked = sources.asked.length;
    await ratesForDays({ ctx, country: 'GB', days: weekdays });
    expect(sources.asked).toHaveLength(asked + 1);
  });

  it('stop asking a source that is down, and still give what is kept', async () => {
    await ratesForDays({ ctx, country: 'GB', days: ['2025-12-24'] });
    const days = Array.from({ length: 300 }, (_, i) =>
      new Date(Date.UTC(2025, 2, 1 + i)).toISOString().slice(0, 10),
    );
    sources.asked.length = 0;
    sources.fails = 503;
    const rates = await ratesForDays({ ctx, country: 'GB', days });
    expect(rates.get('2025-12-24')).toMatchObject({ rate: '0.7405616357' });
    expect([...rates.values()].filter((rate) => 'error' in rate)).toHaveLength(299);
    expect(sources.asked.length).toBeLessThan(20);
  });
});
