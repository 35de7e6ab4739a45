import { describe, expect, it } from 'vitest';
import { findRate, keepRate } from './find-rate';
import { refusal, openRates } from './rate-server.fixture';

const rates = openRates();
type Sources = (typeof rates)['sources'];
const COP = { '2025-12-26': { COP: '3700' }, '2025-12-27': { COP: '3710' } };

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
        expect(await rates.inCountry(country, day)).toMatchObject({
          currency,
          rate,
          rateDate: '2025-12-24',
          localMinor: minor,
          rateSource: 'ECB reference rate',
          provisional: false,
        });
    },
  );

  it.each([
    ['FR', '2025-06-13', '2025-06-13', 1072n],
    ['JP', '2025-06-13', '2025-06-13', 1780n],
    ['NL', '2024-03-02', '2024-03-01', 1142n],
    ['JP', '2024-03-02', '2024-03-01', 1859n],
  ])('of %s on %s is that of %s', async (country, day, rateDate, localMinor) => {
    expect(await rates.inCountry(country, day)).toMatchObject({ rateDate, localMinor });
  });

  it('is never one of a later day, nor one of more than seven days ago', async () => {
    rates.sources.ecb = {
      '2025-12-01': { USD: '1.1', GBP: '0.8' },
      '2025-12-10': { USD: '1.2', GBP: '0.9' },
    };
    expect(await rates.inCountry('GB', '2025-12-08')).toMatchObject({ rateDate: '2025-12-01' });
    const { code, status, message } = await refusal(rates.inCountry('GB', '2025-12-09'));
    expect([code, status]).toEqual(['rate_not_covered', 400]);
    expect(message).toContain('2025-12-09');
  });

  it('is asked for once, and stays the same, also if the source changes later', async () => {
    const first = await rates.inCountry('GB', '2025-12-26');
    const { length } = rates.sources.asked;
    rates.sources.ecb['2025-12-25'] = { USD: '9.9', GBP: '9.9' };
    rates.sources.ecb['2025-12-24'] = { USD: '9.9', GBP: '9.9' };
    rates.now.at = '2027-01-01T00:00:00Z';
    expect(await rates.inCountry('GB', '2025-12-26')).toEqual(first);
    expect(rates.sources.asked).toHaveLength(length);
  });

  it('takes figures of one and the same day for both halves of a cross', async () => {
    rates.sources.ecb = {
      '2025-12-22': { USD: '1.1', CAD: '1.6' },
      '2025-12-23': { USD: '1.3', CAD: '1.7' },
      '2025-12-24': { CAD: '9' },
    };
    expect(await rates.inCountry('CA', '2025-12-24')).toMatchObject({
      rateDate: '2025-12-23',
      rate: '1.30769230769',
      localMinor: 1614n,
    });
  });

  it('is looked up once for requests of the same moment', async () => {
    const all = await Promise.all(
      Array.from({ length: 20 }, () => rates.inCountry('GB', '2025-12-24')),
    );
    expect(new Set(all.map(({ rate }) => rate)).size).toBe(1);
    expect(rates.sources.asked).toHaveLength(1);
  });

  it('is the same for all processes: the first final one that is kept', async () => {
    const rate = (rate: string, final: boolean, fetchedAt: string) =>
      keepRate(rates.db, {
        quote: 'GBP',
        day: '2025-12-24',
        publishedOn: '2025-12-24',
        base: 'EUR',
        usdRate: '1',
        source: 'x',
        rate,
        final,
        fetchedAt: new Date(fetchedAt),
      });
    const kept = async (...of: Parameters<typeof rate>) => (await rate(...of)).usdPerUnit.den;
    expect(await kept('2', false, '2025-12-24T10:00:00Z')).toBe(2n);
    expect(await kept('3', false, '2025-12-24T09:00:00Z')).toBe(2n);
    expect(await kept('4', true, '2025-12-27T09:00:00Z')).toBe(4n);
    expect(await kept('5', true, '2025-12-27T09:00:01Z')).toBe(4n);
    expect(await kept('6', false, '2025-12-28T09:00:00Z')).toBe(4n);
  });

  it('keeps the parameters of the setting', async () => {
    rates.changes = { url: `${rates.sources.url}?providers=ECB` };
    await rates.inCountry('GB', '2025-12-24');
    expect(rates.sources.asked[0]).toMatch(
      /^\/v2\/rates\?providers=ECB&base=EUR&quotes=USD%2CGBP&from=2025-12-17&to=2025-12-31$/,
    );
  });
});

describe('a rate that may still change', () => {
  it('is provisional until the source has published for a later day', async () => {
    delete rates.sources.ecb['2025-12-29'];
    rates.now.at = '2025-12-26T18:00:00Z';
    expect(await rates.inCountry('GB', '2025-12-26')).toMatchObject({
      rateDate: '2025-12-24',
      provisional: true,
    });
    rates.now.at = '2025-12-28T18:00:00Z';
    rates.sources.ecb['2025-12-26'] = { USD: '1.2', GBP: '0.9' };
    expect(await rates.inCountry('GB', '2025-12-26')).toMatchObject({
      rateDate: '2025-12-26',
      rate: '0.75',
      provisional: true,
    });
    rates.now.at = '2025-12-28T20:00:00Z';
    rates.sources.ecb['2025-12-27'] = { USD: '1.3', GBP: '0.8' };
    expect(await rates.inCountry('GB', '2025-12-26')).toMatchObject({
      rate: '0.75',
      provisional: false,
    });
  });

  it('of the ECB is final once it has published for a later day, however long that takes', async () => {
    // Maundy Thursday to Tuesday: five days without a publication.
    rates.sources.ecb = { '2026-04-02': { USD: '1.15', GBP: '0.87' } };
    rates.now.at = '2026-04-07T12:00:00Z';
    for (const day of ['2026-04-02', '2026-04-04', '2026-04-06'])
      expect(await rates.inCountry('GB', day)).toMatchObject({
        rateDate: '2026-04-02',
        provisional: true,
      });
    rates.sources.ecb['2026-04-07'] = { USD: '1.16', GBP: '0.88' };
    rates.now.at = '2026-04-07T15:00:00Z';
    for (const day of ['2026-04-02', '2026-04-04', '2026-04-06'])
      expect(await rates.inCountry('GB', day)).toMatchObject({
        rateDate: '2026-04-02',
        provisional: false,
      });
  });

  it.each([
    ['the blend', 'CO', (sources: Sources) => (sources.blend = COP)],
    ['dated files', 'CO', (sources: Sources) => (sources.files = COP)],
  ])(
    'of %s is final 48 hours after the end of its day, to the second',
    async (_, country, give) => {
      // A later day is published already, and changes nothing: banks still send in figures of the day.
      give(rates.sources);
      rates.now.at = '2025-12-28T23:59:59Z';
      expect(await rates.inCountry(country, '2025-12-26')).toMatchObject({ provisional: true });
      rates.now.at = '2025-12-29T00:10:00Z';
      expect(await rates.inCountry(country, '2025-12-26')).toMatchObject({ provisional: false });
    },
  );

  it('of SOL is final 48 hours after the end of its day, to the second', async () => {
    rates.sources.candles = { '2025-12-26': 122.5, '2025-12-27': 123 };
    const find = () => findRate(rates.ctx, { quote: 'SOL', day: '2025-12-26' });
    rates.now.at = '2025-12-28T23:59:59Z';
    expect(await find()).toMatchObject({ isFinal: false });
    rates.now.at = '2025-12-29T00:10:00Z';
    expect(await find()).toMatchObject({ isFinal: true });
  });

  it('is asked for again after ten minutes and not before', async () => {
    delete rates.sources.ecb['2025-12-29'];
    rates.now.at = '2025-12-24T18:00:00Z';
    await rates.inCountry('GB', '2025-12-24');
    rates.now.at = '2025-12-24T18:09:59Z';
    await rates.inCountry('GB', '2025-12-24');
    expect(rates.sources.asked).toHaveLength(1);
    rates.now.at = '2025-12-24T18:10:00Z';
    await rates.inCountry('GB', '2025-12-24');
    expect(rates.sources.asked).toHaveLength(2);
  });
});

describe.each([0, 500, 429, 200])('a source that answers %s instead of rates', (status) => {
  it('is a 503, unless the rate of that very day is kept', async () => {
    delete rates.sources.ecb['2025-12-29'];
    rates.now.at = '2025-12-26T18:00:00Z';
    await rates.inCountry('GB', '2025-12-24');
    await rates.inCountry('GB', '2025-12-26');
    rates.now.at = '2025-12-26T20:00:00Z';
    rates.sources.fails = status;
    expect(await rates.inCountry('GB', '2025-12-24')).toMatchObject({ localMinor: 914n });
    for (const day of ['2025-12-26', '2025-12-23']) {
      const { code, status: answered, retryAfterS } = await refusal(rates.inCountry('GB', day));
      expect([code, answered, retryAfterS]).toEqual(['rates_unavailable', 503, 30]);
    }
  });
});

describe('dated files', () => {
  it('have what no bank has, by walking back over missing files', async () => {
    rates.sources.files = {
      '2025-12-08': { cop: 3368.96109648, pen: 3.4 },
      '2025-12-11': { cop: 3400 },
    };
    expect(await rates.inCountry('CO', '2025-12-10')).toMatchObject({
      rate: '3368.96109648',
      rateDate: '2025-12-08',
      rateSource: 'currency-api daily rates',
      localMinor: 4159211n,
      provisional: false,
    });
    expect(rates.sources.asked.filter((path) => path.startsWith('/files/'))).toEqual([
      '/files/2025-12-10/currencies/usd.min.json',
      '/files/2025-12-09/currencies/usd.min.json',
      '/files/2025-12-08/currencies/usd.min.json',
    ]);
    expect((await refusal(rates.inCountry('CO', '2025-12-07'))).code).toBe('rate_not_covered');
    expect((await refusal(rates.inCountry('PE', '2025-12-16'))).code).toBe('rate_not_covered');
  });

  it('are not asked while the first source is down', async () => {
    rates.sources.files = { '2025-12-24': { gbp: 0.5 } };
    rates.changes = { url: 'http://127.0.0.1:1' };
    expect((await refusal(rates.inCountry('GB', '2025-12-24'))).code).toBe('rates_unavailable');
    expect(rates.sources.asked).toEqual([]);
  });

  it('must not be those of another day', async () => {
    rates.changes = { datedUrl: `${rates.sources.url}/files/2025-12-11/for-{date}` };
    rates.sources.files = { '2025-12-11': { cop: 3400 } };
    expect((await refusal(rates.inCountry('CO', '2025-12-10'))).code).toBe('rates_unavailable');
  });
});

describe('a day before all coverage', () => {
  it('is a 400 that names the first day there is', async () => {
    rates.sources.firstDays = { GBP: '2024-05-01', VND: '2023-10-02' };
    rates.sources.blend = { '2024-05-01': { GBP: '0.8' }, '2023-10-02': { VND: '24400' } };
    const gbp = await refusal(rates.inCountry('GB', '2023-01-10'));
    expect([gbp.code, gbp.status, gbp.details['first_day']]).toEqual([
      'rate_not_covered',
      400,
      '2024-03-02',
    ]);
    expect(gbp.message).toContain('2024-03-02');
    expect((await refusal(rates.inCountry('VN', '2023-01-10'))).message).toContain('2023-10-02');
    expect(rates.sources.asked.some((path) => path.startsWith('/files/'))).toBe(false);
  });

  it('of SOL is one before it was traded', async () => {
    const error = await refusal(findRate(rates.ctx, { quote: 'SOL', day: '2021-06-16' }));
    expect([error.status, error.details['first_day']]).toEqual([400, '2021-06-17']);
  });
});
