import { ServiceError } from '@/server/errors';
import { requireCountry, type Country } from './countries';
import { settleRate } from './find-rate';
import { fixedRate, toLocalRate, type LocalRate } from './local-rate';
import type { RatesContext } from './rates-context';
import { loadRates, type StoredRate } from './store-rate';

/** How many days are asked for at once. */
const AT_ONCE = 6;

/**
 * The rates of a country on many UTC days: one look into the table for all, then one question to the
 * sources for each day that is not kept. A day that cannot be had says why and fails nothing else; once
 * a source is down, the days after it are not asked for.
 */
export async function ratesForDays(o: {
  ctx: RatesContext;
  country: string;
  days: readonly string[];
}): Promise<Map<string, LocalRate | { error: string }>> {
  const country = requireCountry(o.country);
  const days = [...new Set(o.days)].sort();
  const rates = new Map<string, LocalRate | { error: string }>();
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
      if ('down' in rate) down = rate.error;
      rates.set(day, 'down' in rate ? { error: rate.error } : rate);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  return rates;
}

async function rateOfDay(
  ctx: RatesContext,
  country: Country,
  o: { day: string; kept: StoredRate | null; down: string | null },
): Promise<LocalRate | { error: string } | { error: string; down: true }> {
  const { kept, day } = o;
  if (o.down !== null)
    return kept && (kept.isFinal || kept.publishedOn === day)
      ? toLocalRate(country, kept)
      : { error: o.down };
  try {
    return toLocalRate(country, await settleRate(ctx, { quote: country.currency, day, kept }));
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    if (error.code !== 'rates_unavailable') return { error: error.message };
    return { error: `The source of the ${country.currency} rates did not answer.`, down: true };
  }
}
