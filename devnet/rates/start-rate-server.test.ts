import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { askDailyCandles } from '@/server/rates/ask-daily-candles';
import { askDatedFiles } from '@/server/rates/ask-dated-files';
import { askFrankfurter } from '@/server/rates/ask-frankfurter';
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
  frankfurter: () => askFrankfurter({ url: server.url, quote, day, today }),
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
        expect(await ask(quote, day).frankfurter()).toEqual({
          ...{ base: 'EUR', rate, usdRate, publishedOn: day, isSuperseded: true },
        });
      }
    expect(await ask('GBP', '2026-05-02').files()).toMatchObject({
      ...{ rate: String(rates.perDollar.get('GBP')), publishedOn: '2026-05-02' },
    });
    expect(await ask('SOL', '2026-05-02').candles()).toMatchObject({
      ...{ usdRate: String(rates.solInDollars), publishedOn: '2026-05-02' },
    });
  });

  it('call themselves what they are', () => {
    expect(sampleName('rates')).toBe(`sample rates of ${rates.day}, not real`);
    expect(sampleName('price')).toBe(`sample price of ${rates.day}, not real`);
  });

  it('are not published before their day', async () => {
    for (const source of Object.values(ask('GBP', today)))
      expect(await source()).toMatchObject({ publishedOn: today, isSuperseded: false });
    expect(await ask('GBP', '2026-05-13').frankfurter()).toMatchObject({ publishedOn: today });
  });

  it('have the holes that a test asks for', async () => {
    await setFaults(server.url, { holes: ['2026-05-02', '2026-05-01'] });
    for (const source of Object.values(ask('GBP', '2026-05-02')))
      expect(await source()).toMatchObject({ publishedOn: '2026-04-30' });
    await setFaults(server.url, { firstDay: '2026-05-05' });
    expect(await ask('GBP', '2026-05-04').frankfurter()).toEqual({
      ...{ missing: true, firstDay: '2026-05-05' },
    });
    await expect(setFaults(server.url, { hole: [] })).rejects.toThrow('400');
  });

  it('are out of reach when a test asks for it', async () => {
    await setFaults(server.url, { down: true });
    await expect(ask('GBP', '2026-05-02').frankfurter()).rejects.toThrow(SourceDown);
    await setFaults(server.url, { down: false, status: { code: 429, times: 1 } });
    // The second try is answered.
    expect(await ask('GBP', '2026-05-02').frankfurter()).toMatchObject({
      publishedOn: '2026-05-02',
    });
    expect((await fetch(`${server.url}/v2/unknown`)).status).toBe(404);
  });
});
