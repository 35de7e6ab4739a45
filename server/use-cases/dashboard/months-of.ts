import { dayOf, startOf } from '@/server/clock';

/** Fewer bars would look lost in a wide chart. */
const LEAST_MONTHS = 6;
/** Solana began in 2020. */
const MOST_MONTHS = 240;

/**
 * Months of a period (`2026-11`), including those without payments. A long period starts with its
 * first payment or half a year before its end, whichever is earlier. `days` are the days with
 * payments in order.
 */
export function monthsOf(
  days: readonly { day: string }[],
  o: { first_day: string; last_day: string },
): string[] {
  const halfYear = startOf(`${o.last_day.slice(0, 7)}-01`);
  halfYear.setUTCMonth(halfYear.getUTCMonth() + 1 - LEAST_MONTHS);
  const spread = dayOf(halfYear);
  const paid = days[0]?.day ?? spread;
  const first = paid < spread ? paid : spread;
  const begin = first > o.first_day ? first : o.first_day;
  const months: string[] = [];
  const month = startOf(`${begin.slice(0, 7)}-01`);
  while (dayOf(month) <= o.last_day && months.length < MOST_MONTHS) {
    months.push(dayOf(month).slice(0, 7));
    month.setUTCMonth(month.getUTCMonth() + 1);
  }
  return months;
}
