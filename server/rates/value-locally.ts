import { USD_DECIMALS } from '@quittance/verify/money';
import { requireCountry } from './countries';
import { convert, times, type Fraction } from '@quittance/verify/rates/fraction';
import { findLocalRate, type LocalRate } from './local-rate';
import type { RatesContext } from './rates-context';

/** An amount of a token whose value in US dollars is known. */
export type ValuedAmount = {
  amountRaw: bigint;
  decimals: number;
  /** Basis of the dollar value: `par`, `fx` (a euro token) or `market`. */
  valuation: string;
  usdMicros: bigint;
  /** The exact price behind the dollar value, where it is at hand. */
  usdPerUnit?: Fraction;
};

export type LocalValue = LocalRate & {
  /** Value in minor units of the currency. */
  localMinor: bigint;
};

/**
 * The value of an amount in a country's currency on a UTC day. Throws `unsupported_country`,
 * `rates_unavailable` (503) and `rate_not_covered` (400).
 */
export async function valueLocally(o: {
  ctx: RatesContext;
  country: string;
  day: string;
  usdMicros: bigint;
  token: Omit<ValuedAmount, 'usdMicros'>;
}): Promise<LocalValue> {
  const country = requireCountry(o.country);
  const rate = await findLocalRate(o.ctx, { country, day: o.day });
  return { ...rate, localMinor: localAmount(rate, { ...o.token, usdMicros: o.usdMicros }) };
}

/**
 * An amount at a rate, in minor units, rounded once, half up. A euro token in a euro country stays the
 * amount it is. With the exact price at hand the dollar value, which is rounded to micro-dollars, is not
 * gone through, unless it was priced otherwise and stands.
 */
export function localAmount(rate: LocalRate, amount: ValuedAmount): bigint {
  const { amountRaw, decimals, usdMicros } = amount;
  const at = (price: Fraction, toDecimals: number) =>
    convert({ amount: amountRaw, decimals, price, toDecimals });
  if (amount.valuation === 'fx' && rate.currency === 'EUR')
    return at({ num: 1n, den: 1n }, rate.minorUnits);
  const price = amount.usdPerUnit;
  if (price && at(price, USD_DECIMALS) === usdMicros)
    return at(times(price, rate.perUsd), rate.minorUnits);
  return convert({
    amount: usdMicros,
    decimals: USD_DECIMALS,
    price: rate.perUsd,
    toDecimals: rate.minorUnits,
  });
}
