import type { Country } from './countries';
import { findRate } from './find-rate';
import { ONE, over, toDecimalText, type Fraction } from '@quittance/verify/rates/fraction';
import type { RatesContext } from './rates-context';
import type { StoredRate } from './store-rate';

/** How a country's currency stood on a day. */
export type LocalRate = {
  currency: string;
  minorUnits: number;
  /** Units of the currency for one US dollar, exact. */
  perUsd: Fraction;
  /** The same as a plain decimal of up to 12 significant digits. */
  rate: string;
  /** The day it was published for, YYYY-MM-DD. */
  rateDate: string;
  rateSource: string;
  provisional: boolean;
};

/** The dirham is pegged to the dollar since 1997 (Central Bank of the UAE). */
const AED_PER_USD: Fraction = { num: 36_725n, den: 10_000n };

/** The rate of a country on a UTC day. Throws `rates_unavailable` and `rate_not_covered`. */
export async function findLocalRate(
  ctx: RatesContext,
  o: { country: Country; day: string },
): Promise<LocalRate> {
  const { country, day } = o;
  return (
    fixedRate(country, day) ??
    toLocalRate(country, await findRate(ctx, { quote: country.currency, day }))
  );
}

/** The rates that no source is asked for: the dollar itself, and the peg of the dirham. */
export function fixedRate({ currency, minorUnits }: Country, day: string): LocalRate | null {
  const fixed = (perUsd: Fraction, rateSource: string): LocalRate => ({
    ...{ currency, minorUnits, perUsd, rateSource },
    rate: toDecimalText(perUsd),
    rateDate: day,
    provisional: false,
  });
  if (currency === 'USD') return fixed(ONE, 'identity');
  return currency === 'AED' ? fixed(AED_PER_USD, 'AED peg 3.6725') : null;
}

export function toLocalRate({ currency, minorUnits }: Country, stored: StoredRate): LocalRate {
  const perUsd = over(ONE, stored.usdPerUnit);
  return {
    ...{ currency, minorUnits, perUsd },
    rate: toDecimalText(perUsd),
    rateDate: stored.publishedOn,
    rateSource: stored.source,
    provisional: !stored.isFinal,
  };
}
