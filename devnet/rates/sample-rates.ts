import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { z } from 'zod';

/** The rates of one day, returned for every day: sample numbers to try the service with. */
export type SampleRates = {
  /** The real day of the numbers. */
  day: string;
  /** Units of each currency (upper case) for one euro, and for one dollar. */
  perEuro: ReadonlyMap<string, number>;
  perDollar: ReadonlyMap<string, number>;
  solInDollars: number;
};

/** Reads the numbers from the installed @fawazahmed0/currency-api package (CC0). */
export function readSampleRates(): SampleRates {
  const [euro, dollar, sol] = [readCurrency('eur'), readCurrency('usd'), readCurrency('sol')];
  const solInDollars = sol.rates.get('USD');
  if (solInDollars === undefined) throw new Error('the package has no price of SOL');
  return { day: dollar.day, perEuro: euro.rates, perDollar: dollar.rates, solInDollars };
}

/** The name of the samples in answers. */
export function sampleName(what: 'rates' | 'price'): string {
  return `sample ${what} of ${readCurrency('usd').day}, not real`;
}

const file = z.looseObject({ date: z.iso.date() });

function readCurrency(code: string): { day: string; rates: ReadonlyMap<string, number> } {
  const path = createRequire(import.meta.url).resolve(
    `@fawazahmed0/currency-api/v1/currencies/${code}.json`,
  );
  const content = file.parse(JSON.parse(readFileSync(path, 'utf8')));
  const rates = z.record(z.string(), z.number()).parse(content[code]);
  return {
    day: content.date,
    rates: new Map(Object.entries(rates).map(([quote, rate]) => [quote.toUpperCase(), rate])),
  };
}
