import { describe, expect, it } from 'vitest';
import { findRate } from './find-rate';
import { openRates, refusal } from './rate-server.fixture';
import { startOf } from '@/server/clock';

const rates = openRates();

/** The ECB's figures around the day on which it stopped the rouble. */
const ECB_2022 = {
  '2022-02-25': { USD: '1.1216', RUB: '92.5673', GBP: '0.8374' },
  '2022-02-28': { USD: '1.1199', RUB: '115.4842', GBP: '0.8355' },
  '2022-03-01': { USD: '1.1162', RUB: '117.201', GBP: '0.8329' },
  '2022-03-02': { USD: '1.1106', GBP: '0.83316' },
  '2022-03-03': { USD: '1.1076', GBP: '0.82773' },
};

describe('the source of a rate', () => {
  it('is the ECB where it has the day, though the blend and the files have it too', async () => {
    rates.sources.blend = { '2025-12-24': { GBP: '0.7411', EUR: '0.84811' } };
    rates.sources.files = { '2025-12-24': { GBP: '0.739' } };
    expect(await rates.inCountry('GB', '2025-12-24')).toMatchObject({
      rate: '0.7405616357',
      localMinor: 914n,
      rateSource: 'ECB reference rate',
    });
    expect(await rates.inCountry('DE', '2025-12-24')).toMatchObject({
      rate: '0.848392296598',
      rateSource: 'ECB reference rate',
    });
    expect(await rates.db.rate.findMany({ select: { base: true, rule: true } })).toEqual([
      ...[
        { base: 'EUR', rule: 2 },
        { base: 'EUR', rule: 2 },
      ],
    ]);
  });

  it('is the blend for a currency that the ECB does not have, by one figure for one dollar', async () => {
    // Crossed by way of the euro it would be 31033 divided by 1.1787, which is 26328.2.
    rates.sources.blend = { '2025-12-24': { VND: '26328', EUR: '0.84839' } };
    expect(await rates.inCountry('VN', '2025-12-24')).toMatchObject({
      rate: '26328',
      localMinor: 325037n,
      rateSource: 'blended rates',
    });
    const [row] = await rates.db.rate.findMany();
    expect(row).toMatchObject({ base: 'USD', rate: '26328', usdRate: '1' });
  });

  it('uses the Saturday figure of a bank that publishes on Saturdays', async () => {
    // On Saturday no bank published a euro figure: by way of the euro it would be Friday's.
    rates.sources.blend = {
      '2024-03-01': { RUB: '91.111', EUR: '0.92480' },
      '2024-03-02': { RUB: '91.333' },
    };
    for (const day of ['2024-03-02', '2024-03-03'])
      expect(await rates.inCountry('RU', day)).toMatchObject({
        rate: '91.333',
        rateDate: '2024-03-02',
        rateSource: 'blended rates',
      });
  });

  it('is the ECB for roubles until it stopped them, and other banks from the next day on', async () => {
    rates.sources.ecb = ECB_2022;
    // The Bank of Russia's figure of 3 March; the two before it are made up.
    rates.sources.blend = {
      '2022-02-25': { RUB: '80' },
      '2022-03-01': { RUB: '95' },
      '2022-03-03': { RUB: '103.2487' },
    };
    const found = async (day: string) => {
      const { rate, rateDate, rateSource } = await rates.inCountry('RU', day);
      return [rateSource, rateDate, rate];
    };
    expect(await found('2022-02-27')).toEqual([
      'ECB reference rate',
      '2022-02-25',
      '82.5314728959',
    ]);
    expect(await found('2022-03-01')).toEqual(['ECB reference rate', '2022-03-01', '105']);
    expect(await found('2022-03-02')).toEqual(['blended rates', '2022-03-01', '95']);
    expect(await found('2022-03-03')).toEqual(['blended rates', '2022-03-03', '103.2487']);
    // The ECB's own last figure is final, though no later day of it has roubles.
    expect(await rates.inCountry('RU', '2022-03-01')).toMatchObject({ provisional: false });
  });

  it('goes on to dated files for what no bank has, and names them', async () => {
    rates.sources.files = { '2025-12-24': { NGN: '1454.6887143' } };
    expect(await rates.inCountry('NG', '2025-12-24')).toMatchObject({
      rate: '1454.6887143',
      rateSource: 'currency-api daily rates',
      localMinor: 1795912n,
    });
  });
});

describe('a rate that was kept under the rule before', () => {
  it('is asked for again and replaced, final or not', async () => {
    const day = '2025-12-24';
    for (const final of [true, false]) {
      await rates.db.rate.deleteMany();
      await rates.db.rate.create({
        data: {
          quote: 'GBP',
          day: startOf(day),
          base: 'EUR',
          rate: '0.873',
          usdRate: '1.18',
          source: 'blend',
          publishedOn: startOf(day),
          final,
          rule: 1,
          fetchedAt: new Date('2026-03-01T11:59:00Z'),
        },
      });
      expect(await findRate(rates.ctx, { quote: 'GBP', day })).toMatchObject({
        source: 'ECB reference rate',
      });
      expect(await rates.db.rate.findMany()).toMatchObject([{ rate: '0.8729', rule: 2 }]);
    }
  });
});

describe('a day that no source has', () => {
  it('inside the covered time is reported as a gap, without a first day', async () => {
    // The blend begins long before; only the files begin after the day.
    rates.sources.firstDays = { ARS: '2002-01-11' };
    const { code, status, message, details } = await refusal(rates.inCountry('AR', '2020-06-01'));
    expect([code, status, details['first_day']]).toEqual(['rate_not_covered', 400, null]);
    expect(message).toBe('No ARS rate was published on 2020-06-01 or in the 7 days before it.');
  });

  it('next to an unknown begin is reported as a gap too', async () => {
    const { message } = await refusal(rates.inCountry('AR', '2020-06-01'));
    expect(message).not.toContain('2024-03-02');
  });

  it('names no first day that the blend lists but does not answer', async () => {
    rates.sources.firstDays = { ARS: '2021-01-04' };
    const gap = await refusal(rates.inCountry('AR', '2020-06-01'));
    expect(gap.details['first_day']).toBeNull();
    // Listed for a day whose first figure comes two days later: that one is named, and answers.
    rates.sources.blend = { '2021-01-06': { ARS: '84.5' } };
    const before = await refusal(rates.inCountry('AR', '2020-06-01'));
    expect(before.details['first_day']).toBe('2021-01-06');
    expect(before.message).toContain('the first day that is covered is 2021-01-06');
    expect(await rates.inCountry('AR', '2021-01-06')).toMatchObject({ rate: '84.5' });
    expect((await refusal(rates.inCountry('AR', '2021-01-05'))).code).toBe('rate_not_covered');
  });
});
