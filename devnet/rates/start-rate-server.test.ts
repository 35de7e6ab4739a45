import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import {
  askBlend,
  askDailyCandles,
  askDatedFiles,
  askEcb,
  firstDayOfBlend,
} from '@/server/rates/ask-sources';
import { countryOf, SUPPORTED_COUNTRIES } from '@/server/rates/countries';
import { SourceDown } from '@/server/rates/fetch-exact';
import { setFaults } from '../client/set-faults';
import { readSampleRates, sampleName } from './sample-rates';
import { startRateServer } from './start-rate-server';

let server: Awaited<ReturnType<typeof startRateServer>>;
const rates = readSampleRates();
const today = '2026-05-10';

beforeAll(async () => {
  server = await startRateServer({ port: 0, now: () => new Date(`${today}T10:00:00Z`) });
});
beforeEach(() => setFaults(server.url, null));
afterAll(() => server.close());

const ask = (quote: string, day: string) => ({
  ecb: () => askEcb({ url: server.url, quote, day, today }),
  blend: () => askBlend({ url: server.url, quote, day, today }),
  files: () => askDatedFiles({ url: `${server.url}/dated/{date}/v1`, quote, day, today }),
  candles: () => askDailyCandles({ url: server.url, quote: 'SOL', day, today }),
});

describe('the sample rates', () => {
  it('are those of the installed day, for every currency and every day, in all layouts', async () => {
    const currencies = SUPPORTED_COUNTRIES.map((code) => countryOf(code)?.currency ?? '');
    for (const quote of new Set(currencies))
      for (const day of ['2020-03-16', '2026-05-02']) {
        const rate = quote === 'EUR' ? '1' : String(rates.perEuro.get(quote));
        const usdRate = String(rates.perEuro.get('USD'));
        const isOfEcb = !['AED', 'VND', 'RUB', 'NGN', 'ARS', 'CLP', 'COP', 'PEN'].includes(quote);
        expect(await ask(quote, day).ecb()).toEqual(
          isOfEcb ? { base: 'EUR', rate, usdRate, publishedOn: day, finality: 'final' } : null,
        );
        const blended = await ask(quote, day).blend();
        expect(blended).toMatchObject({ base: 'USD', usdRate: '1', publishedOn: day });
        const off = Number(blended?.rate) / (rates.perDollar.get(quote) ?? 0) - 1;
        expect(Math.abs(off)).toBeLessThan(1e-4);
      }
    expect(await ask('GBP', '2026-05-02').files()).toMatchObject({
      rate: String(rates.perDollar.get('GBP')),
      publishedOn: '2026-05-02',
    });
    expect(await ask('SOL', '2026-05-02').candles()).toMatchObject({
      usdRate: String(rates.solInDollars),
      publishedOn: '2026-05-02',
    });
  });

  it('are marked as samples', () => {
    expect(sampleName('rates')).toBe(`sample rates of ${rates.day}, not real`);
    expect(sampleName('price')).toBe(`sample price of ${rates.day}, not real`);
  });

  it('are not published before their day', async () => {
    for (const source of Object.values(ask('GBP', today)))
      expect(await source()).toMatchObject({ publishedOn: today });
    expect(await ask('GBP', today).ecb()).toMatchObject({ finality: 'until_superseded' });
    expect(await ask('GBP', '2026-05-13').ecb()).toMatchObject({ publishedOn: today });
  });

  it('have the gaps that a test asks for', async () => {
    await setFaults(server.url, { holes: ['2026-05-02', '2026-05-01'] });
    for (const source of Object.values(ask('GBP', '2026-05-02')))
      expect(await source()).toMatchObject({ publishedOn: '2026-04-30' });
    await setFaults(server.url, { firstDay: '2026-05-05' });
    expect(await ask('GBP', '2026-05-04').ecb()).toBeNull();
    expect(await ask('GBP', '2026-05-04').blend()).toBeNull();
    const asked = { url: server.url, quote: 'GBP', day: '2026-05-04', today };
    expect(await firstDayOfBlend(asked)).toBe('2026-05-05');
    await expect(setFaults(server.url, { hole: [] })).rejects.toThrow('400');
  });

  it('are unreachable when a test asks for it', async () => {
    await setFaults(server.url, { down: true });
    await expect(ask('GBP', '2026-05-02').ecb()).rejects.toThrow(SourceDown);
    await setFaults(server.url, { down: false, status: { code: 429, times: 1 } });
    // The second try is answered.
    expect(await ask('GBP', '2026-05-02').ecb()).toMatchObject({
      publishedOn: '2026-05-02',
    });
    expect((await fetch(`${server.url}/v2/unknown`)).status).toBe(404);
  });

  it('speak Frankfurter’s v2: banks, bases, rounding and refusals', async () => {
    const get = async (path: string) => {
      const response = await fetch(server.url + path);
      return [response.status, await response.json()] as const;
    };
    const ecb = (quote: string) => rates.perEuro.get(quote) ?? 0;
    // One bank in its own base keeps its digits. Another base is crossed and rounded.
    const own = '/v2/rates?providers=ECB&quotes=USD,IDR&date=2026-05-02';
    expect(await get(own)).toEqual([
      200,
      [
        { date: '2026-05-02', base: 'EUR', quote: 'IDR', rate: ecb('IDR') },
        { date: '2026-05-02', base: 'EUR', quote: 'USD', rate: ecb('USD') },
      ],
    ]);
    expect(await get('/v2/rates?providers=ecb&base=USD&quotes=IDR&date=2026-05-02')).toEqual([
      200,
      [{ ...row('IDR'), rate: Math.round(ecb('IDR') / ecb('USD')) }],
    ]);
    // Currencies that the ECB does not have are left out, even next to ones it has.
    const mixed = await get('/v2/rates?providers=ECB&quotes=VND,GBP&date=2026-05-02');
    expect(mixed[1]).toMatchObject([{ quote: 'GBP' }]);
    expect(await get('/v2/rate/USD/VND?date=2026-05-02')).toEqual([
      200,
      { ...row('VND'), rate: Math.round(rates.perDollar.get('VND') ?? 0) },
    ]);
    // A first day without a publication gets the one before it.
    await setFaults(server.url, { holes: ['2026-05-02'] });
    const range = await get('/v2/rates?base=USD&quotes=VND&from=2026-05-02&to=2026-05-03');
    expect(range[1]).toMatchObject([{ date: '2026-05-01' }, { date: '2026-05-03' }]);
    for (const [query, message] of [
      ['symbols=USD', 'unknown parameter: symbols'],
      ['base=XXA', 'invalid currency: XXA'],
      ['from=soon', 'invalid date'],
      ['date=2026-05-02&from=2026-05-01', 'conflicting params'],
    ])
      expect(await get(`/v2/rates?${query}`)).toEqual([422, { status: 422, message }]);
    expect((await get('/v2/providers'))[1]).toMatchObject([{ key: 'ECB' }, { key: 'SAMPLE' }]);
    expect((await get('/v2/currencies?providers=ECB'))[1]).toHaveLength(30);
  });

  it('speak Frankfurter’s v1, which is the ECB alone', async () => {
    const get = async (path: string) => (await fetch(server.url + path)).json();
    const usd = Number((1 / (rates.perEuro.get('USD') ?? 0)).toFixed(5));
    expect(await get('/v1/2026-05-02?base=USD&symbols=EUR')).toEqual({
      amount: 1,
      base: 'USD',
      date: '2026-05-02',
      rates: { EUR: usd },
    });
    await setFaults(server.url, { holes: ['2026-05-02'] });
    expect(await get('/v1/2026-05-02?symbols=USD')).toMatchObject({ date: '2026-05-01' });
    expect(await get('/v1/2026-05-01..2026-05-03?symbols=USD')).toMatchObject({
      start_date: '2026-05-01',
      end_date: '2026-05-03',
      rates: { '2026-05-01': { USD: rates.perEuro.get('USD') } },
    });
    expect(await get('/v1/latest')).toMatchObject({ date: today, base: 'EUR' });
    expect(
      Object.keys(z.record(z.string(), z.string()).parse(await get('/v1/currencies'))),
    ).toContain('ZAR');
    expect((await fetch(`${server.url}/v1/latest?symbols=VND`)).status).toBe(404);
  });
});

const row = (quote: string) => ({ date: '2026-05-02', base: 'USD', quote });
