import { requireCountry } from '@/server/rates/countries';
import { dayOf } from '@/server/rates/day';
import { localAmount } from '@/server/rates/value-locally';
import { ratesForDays } from '@/server/rates/rates-for-days';
import type { RatesContext } from '@/server/rates/rates-context';
import type { LocalColumns } from '@/server/receipts/transfer-row';
import { pricesForDays, type PricedRow } from './prices-for-days';
import type { ValuedRow } from './unpack-receipt';

/**
 * Values rows in the currency of a country, by the rate of each day. Keeps the rates it was given, so
 * that one export asks for a day once and values it by one rate.
 */
export function rowValuer(ctx: RatesContext, countryCode: string) {
  const country = requireCountry(countryCode);
  const { currency, minorUnits } = country;
  const known: Awaited<ReturnType<typeof ratesForDays>> = new Map();
  const prices = pricesForDays(ctx);
  return {
    /** Fetches the rates and prices of these rows, as far as they are to be had. */
    async prepare(rows: readonly PricedRow[]): Promise<void> {
      const days = rows.map(({ blockTime }) => dayOf(blockTime));
      const unknown = [...new Set(days)].filter((day) => !known.has(day));
      if (unknown.length > 0)
        for (const [day, rate] of await ratesForDays({ ctx, country: country.code, days: unknown }))
          known.set(day, rate);
      await prices.fetch(rows);
    },

    /** The value of a row, or why its day has no rate. */
    localOf(row: ValuedRow, time: Date): LocalColumns {
      const day = dayOf(time);
      const rate = known.get(day) ?? { error: 'it was not asked for' };
      if ('error' in rate) return { currency, minorUnits, value: { error: rate.error } };
      const { rateDate, rateSource, provisional } = rate;
      const usdPerUnit = row.valuation === 'par' ? null : prices.of(row.mint, day);
      const minor = localAmount(rate, usdPerUnit ? { ...row, usdPerUnit } : row);
      return {
        ...{ currency, minorUnits },
        value: { minor, rate: rate.rate, rateDate, rateSource, provisional },
      };
    },
  };
}
