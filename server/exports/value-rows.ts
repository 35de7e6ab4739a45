import { requireCountry } from '@/server/rates/countries';
import { dayOf } from '@/server/rates/day';
import { localAmount } from '@/server/rates/value-locally';
import { ratesForDays } from '@/server/rates/rates-for-days';
import type { RatesContext } from '@/server/rates/rates-context';
import type { LocalColumns, TransferRow } from '@/server/receipts/transfer-row';
import type { ReceiptRow } from './page-receipts';

type Rates = Awaited<ReturnType<typeof ratesForDays>>;

/**
 * Gives rows their value in the currency of a country, by the rate of each day. Keeps the rates it was
 * given, so that one export asks for a day once and values it by one rate. A day without a rate says so.
 */
export function rowValuer(
  ctx: RatesContext,
  countryCode: string,
): (rows: readonly ReceiptRow[]) => Promise<TransferRow[]> {
  const country = requireCountry(countryCode);
  const known: Rates = new Map();
  return async (rows) => {
    const days = rows.map(({ blockTime }) => dayOf(blockTime));
    const asked = [...new Set(days)].filter((day) => !known.has(day));
    if (asked.length > 0)
      for (const [day, rate] of await ratesForDays({ ctx, country: country.code, days: asked }))
        known.set(day, rate);
    return rows.map((row, index) => ({
      ...row,
      local: localOf(row, known.get(days[index] ?? ''), country),
    }));
  };
}

function localOf(
  row: ReceiptRow,
  known: ReturnType<Rates['get']>,
  { currency, minorUnits }: { currency: string; minorUnits: number },
): LocalColumns {
  const rate = known ?? { error: 'it was not asked for' };
  if ('error' in rate) return { currency, minorUnits, value: { error: rate.error } };
  const { rateDate, rateSource, provisional } = rate;
  return {
    ...{ currency, minorUnits },
    value: { minor: localAmount(rate, row), rate: rate.rate, rateDate, rateSource, provisional },
  };
}
