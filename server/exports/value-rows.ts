import { requireCountry } from '@/server/rates/countries';
import { dayOf } from '@/server/rates/day';
import { localAmount } from '@/server/rates/value-locally';
import { ratesForDays } from '@/server/rates/rates-for-days';
import type { RatesContext } from '@/server/rates/rates-context';
import type { LocalColumns } from '@/server/receipts/transfer-row';
import type { ValuedRow } from './unpack-receipt';

/**
 * Values rows in the currency of a country, by the rate of each day. Keeps the rates it was given, so
 * that one export asks for a day once and values it by one rate.
 */
export function rowValuer(ctx: RatesContext, countryCode: string) {
  const country = requireCountry(countryCode);
  const { currency, minorUnits } = country;
  const known: Awaited<ReturnType<typeof ratesForDays>> = new Map();
  return {
    /** Fetches the rates of these times, as far as they are to be had. */
    async prepare(times: readonly Date[]): Promise<void> {
      const days = [...new Set(times.map(dayOf))].filter((day) => !known.has(day));
      if (days.length === 0) return;
      for (const [day, rate] of await ratesForDays({ ctx, country: country.code, days }))
        known.set(day, rate);
    },

    /** The value of a row, or why its day has no rate. */
    localOf(row: ValuedRow, time: Date): LocalColumns {
      const rate = known.get(dayOf(time)) ?? { error: 'it was not asked for' };
      if ('error' in rate) return { currency, minorUnits, value: { error: rate.error } };
      const { rateDate, rateSource, provisional } = rate;
      const minor = localAmount(rate, row);
      return {
        ...{ currency, minorUnits },
        value: { minor, rate: rate.rate, rateDate, rateSource, provisional },
      };
    },
  };
}
