import type { RateServer } from './rate-server';

/** The currencies that the ECB publishes today, besides the euro itself. */
const OF_THE_ECB: ReadonlySet<string> = new Set(
  (
    'USD JPY CZK DKK GBP HUF PLN RON SEK CHF ISK NOK TRY AUD BRL CAD CNY HKD IDR ILS INR KRW MXN MYR ' +
    'NZD PHP SGD THB ZAR'
  ).split(' '),
);

/** The package includes coins, by symbols that no bank publishes. */
const isCurrency = (code: string) => /^[A-Z]{3}$/.test(code) && code !== 'SOL';

/** The banks of the samples: the ECB, and one that has every currency of the package. */
export type Bank = 'ECB' | 'SAMPLE';
export const BANKS: readonly Bank[] = ['ECB', 'SAMPLE'];

/** The currencies of a bank, sorted, including the euro. */
export function currenciesOf({ rates }: RateServer, bank: Bank): string[] {
  const all = ['EUR', ...rates.perEuro.keys()].filter(isCurrency);
  const ofBank =
    bank === 'ECB' ? all.filter((code) => code === 'EUR' || OF_THE_ECB.has(code)) : all;
  return [...new Set(ofBank)].sort();
}

/**
 * Units of a quote for one of a base, by the sample numbers. Like in Frankfurter, one bank's own
 * figure has all its digits in the base that it publishes in, and other figures are rounded. Null
 * for a missing currency.
 */
export function figureOf(
  parts: RateServer,
  o: { base: string; quote: string; bank: Bank | null },
): number | null {
  const known = currenciesOf(parts, o.bank ?? 'SAMPLE');
  if (!known.includes(o.base) || !known.includes(o.quote)) return null;
  const perEuro = (code: string) => (code === 'EUR' ? 1 : (parts.rates.perEuro.get(code) ?? 0));
  if (o.bank === 'ECB' && o.base === 'EUR') return perEuro(o.quote);
  const perDollar = parts.rates.perDollar.get(o.quote);
  if (o.bank === null && o.base === 'USD' && perDollar !== undefined) return round(perDollar);
  return round(perEuro(o.quote) / perEuro(o.base));
}

/** Frankfurter's rounding: the larger the figure, the fewer decimals. */
function round(value: number): number {
  const bands = [
    [5_000, 0],
    [80, 2],
    [20, 3],
    [1, 4],
    [0.0001, 5],
  ] as const;
  const decimals = bands.find(([above]) => value > above)?.[1] ?? 6;
  return Number(value.toFixed(decimals));
}
