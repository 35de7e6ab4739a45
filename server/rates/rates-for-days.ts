import { ServiceError } from '@/server/errors';
import { requireCountry, type Country } from './countries';
import { settleRate } from './find-rate';
import { fixedRate, toLocalRate, type LocalRate } from './local-rate';
import type { RatesContext } from './rates-context';
import { loadRates, type StoredRate } from './store-rate';

/** How many days are asked for at once. */
const AT_ONCE = 6;

/** Why a day has no rate; `isDown` when a source did not answer, so that it may have one later. */
export type NoRate = { error: string; isDown?: true };

/**
 * The rates of a country on many UTC days: one look into the table for all, then one question to the
 * sources for each day that is not kept. A day that cannot be had says why and fails nothing else; once
 * a source is down, the days after it are not asked for.
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
