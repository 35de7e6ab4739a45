/** Periods that can be chosen, in UTC days, both ends included. */
export const PERIODS = [
  'year-back',
  'this-month',
  'last-month',
  'this-year',
  'last-year',
  'all',
] as const;

export type PeriodName = (typeof PERIODS)[number];

/** First and last UTC day of a period, relative to a given day. */
export function periodOf(name: PeriodName, today: Date): { first_day: string; last_day: string } {
  const [year, month] = [today.getUTCFullYear(), today.getUTCMonth()];
  const [first, last] = {
    'year-back': [Date.UTC(year, month - 11, 1), today.getTime()],
    'this-month': [Date.UTC(year, month, 1), today.getTime()],
    'last-month': [Date.UTC(year, month - 1, 1), Date.UTC(year, month, 0)],
    'this-year': [Date.UTC(year, 0, 1), today.getTime()],
    'last-year': [Date.UTC(year - 1, 0, 1), Date.UTC(year - 1, 11, 31)],
    // The chain began in March 2020.
    all: [Date.UTC(2020, 2, 1), today.getTime()],
  }[name] ?? [today.getTime(), today.getTime()];
  return { first_day: dayOf(first), last_day: dayOf(last) };
}

function dayOf(time: number | undefined): string {
  return new Date(time ?? 0).toISOString().slice(0, 10);
}
