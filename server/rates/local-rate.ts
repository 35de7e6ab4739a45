import {
  convert,
  type Fraction,
  ONE,
  over,
  times,
  toDecimalText,
  USD_DECIMALS,
} from '@quittance/verify/money';
import { ServiceError } from '@/server/errors';
import { type Country, requireCountry } from './countries';
import { findRate, loadRates, type RatesContext, settleRate, type StoredRate } from './find-rate';

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
async function findLocalRate(
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
function fixedRate({ currency, minorUnits }: Country, day: string): LocalRate | null {
  const fixed = (perUsd: Fraction, rateSource: string): LocalRate => ({
    currency,
    minorUnits,
    perUsd,
    rateSource,
    rate: toDecimalText(perUsd),
    rateDate: day,
    provisional: false,
  });
  if (currency === 'USD') return fixed(ONE, 'identity');
  return currency === 'AED' ? fixed(AED_PER_USD, 'AED peg 3.6725') : null;
}

function toLocalRate({ currency, minorUnits }: Country, stored: StoredRate): LocalRate {
  const perUsd = over(ONE, stored.usdPerUnit);
  return {
    currency,
    minorUnits,
    perUsd,
    rate: toDecimalText(perUsd),
    rateDate: stored.publishedOn,
    rateSource: stored.source,
    provisional: !stored.isFinal,
  };
}

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
 * An amount at a rate, in minor units, rounded once, half up. A euro token in a euro country keeps
 * its amount. If the exact price is known, it is used instead of the dollar value, which is rounded
 * to micro-dollars. A value that was priced otherwise is frozen and stays in use.
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

/** How many days are asked for at once. */
const AT_ONCE = 6;

/** Why a day has no rate; `isDown` when a source did not answer, so that it may have one later. */
export type NoRate = { error: string; isDown?: true };

/**
 * The rates of a country on many UTC days. It reads the table once for all, then sends one request
 * to the sources for each day that is not kept. A day without a rate says why and fails nothing
 * else. Once a source is down, it is not asked for the days after.
 */
export async function ratesForDays(o: {
  ctx: RatesContext;
  country: string;
  days: readonly string[];
}): Promise<Map<string, LocalRate | NoRate>> {
  const country = requireCountry(o.country);
  const days = [...new Set(o.days)].sort();
  const rates = new Map<string, LocalRate | NoRate>();
  if (fixedRate(country, '')) {
    for (const day of days) rates.set(day, fixedRate(country, day) ?? { error: '' });
    return rates;
  }
  const kept = await loadRates(o.ctx.db, { quote: country.currency, days });
  let down: string | null = null;
  const waiting = days.values();
  const work = async () => {
    for (const day of waiting) {
      const rate = await rateOfDay(o.ctx, country, { day, kept: kept.get(day) ?? null, down });
      if ('error' in rate && rate.isDown) down = rate.error;
      rates.set(day, rate);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  return rates;
}

async function rateOfDay(
  ctx: RatesContext,
  country: Country,
  o: { day: string; kept: StoredRate | null; down: string | null },
): Promise<LocalRate | NoRate> {
  const { kept, day } = o;
  if (o.down !== null)
    return kept && (kept.isFinal || kept.publishedOn === day)
      ? toLocalRate(country, kept)
      : { error: o.down, isDown: true };
  try {
    return toLocalRate(country, await settleRate(ctx, { quote: country.currency, day, kept }));
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    if (error.code !== 'rates_unavailable') return { error: error.message };
    return { error: `The source of the ${country.currency} rates did not answer.`, isDown: true };
  }
}
