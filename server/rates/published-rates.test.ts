import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { countryOf, SUPPORTED_COUNTRIES } from './countries';
import { openRates } from './rate-server.fixture';
import { valueLocally } from './local-rate';

const FOLDER = join(import.meta.dirname, '../../tests/published-rates');
const rates = openRates();

const NAME_OF: Readonly<Record<string, string>> = {
  identity: 'identity',
  peg: 'AED peg 3.6725',
  ecb: 'ECB reference rate',
  blend: 'blended rates',
  'currency-api': 'currency-api daily rates',
};
const values = read('values.csv');
const days = [...new Set(values.map((row) => row['day'] ?? ''))];

/** The rows of a plain CSV file; empty cells are left out. */
function read(file: string): Record<string, string>[] {
  const [head = '', ...lines] = readFileSync(join(FOLDER, file), 'utf8').trim().split('\n');
  const names = head.split(',');
  return lines.map((line) => {
    const cells = line.split(',').map((cell, at) => [names[at] ?? '', cell] as const);
    return Object.fromEntries(cells.filter(([, cell]) => cell !== ''));
  });
}

/** The figures of files by day, in the form of a source. */
function byDay(...files: string[]): Record<string, Record<string, string>> {
  const days: Record<string, Record<string, string>> = {};
  for (const { date = '', ...figures } of files.flatMap(read))
    days[date] = { ...days[date], ...figures };
  return days;
}

beforeEach(() => {
  rates.sources.ecb = byDay('ecb.csv');
  rates.sources.blend = byDay(
    'bank-of-russia.csv',
    'superfinanciera.csv',
    'banco-central-de-chile.csv',
  );
  rates.sources.files = byDay('currency-api.csv');
});

describe('published figures', () => {
  it('are here for every country on at least six days, and nothing else is missing', () => {
    for (const country of SUPPORTED_COUNTRIES) {
      const rows = values.filter((row) => row['country'] === country);
      expect([country, rows.length]).toEqual([
        country,
        ['VN', 'NG', 'AR', 'PE'].includes(country) ? 6 : 8,
      ]);
    }
  });

  it.each(days)('give the value of 12.345678 USD in every country on %s', async (day) => {
    for (const row of values.filter((one) => one['day'] === day)) {
      const found = await rates.inCountry(row['country'] ?? '', day);
      const minorUnits = countryOf(row['country'] ?? '')?.minorUnits ?? 0;
      expect({ country: row['country'], ...found }).toMatchObject({
        country: row['country'],
        currency: row['currency'],
        rate: row['exchange_rate'],
        rateDate: row['rate_date'],
        rateSource: NAME_OF[row['source'] ?? ''],
        minorUnits,
        localMinor: BigInt((row['local_amount'] ?? '').replace('.', '')),
        provisional: false,
      });
    }
  });

  it('leave an amount of a euro token in a euro country as it is', async () => {
    for (const day of days)
      for (const country of ['EU', 'DE', 'FR', 'NL', 'ES', 'IT'])
        expect(
          await valueLocally({
            ctx: rates.ctx,
            country,
            day,
            usdMicros: 999n,
            token: { amountRaw: 12_345_678n, decimals: 6, valuation: 'fx' },
          }),
        ).toMatchObject({ currency: 'EUR', localMinor: 1235n });
  });
});
