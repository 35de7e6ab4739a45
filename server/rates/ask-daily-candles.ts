import { z } from 'zod';
import { addDays, dayOf, startOf } from './day';
import { fetchExact, SourceDown } from './fetch-exact';
import { DAYS_BACK, decimal, type Published, type RateQuestion } from './published';

/** Coinbase opened trade in SOL on this day. */
export const FIRST_CANDLE = '2021-06-17';
const DAY_SECONDS = 86_400;

/** Begin of the day in seconds, low, high, open, close, and what follows (volume). */
const candles = z.array(
  z
    .tuple([z.string().regex(/^\d{1,12}$/), decimal, decimal, decimal, decimal], z.unknown())
    .transform(([begin, , , , close]) => ({ day: dayOf(new Date(Number(begin) * 1_000)), close })),
);

/**
 * Asks the daily candles of a Coinbase Exchange API for a coin's price in US dollars: the close of the
 * UTC day, which is still moving while the day lasts. Null when nothing was traded on that day or in the
 * seven before it. Throws SourceDown.
 */
export async function askDailyCandles(q: RateQuestion): Promise<Published | null> {
  const [from, to] = [addDays(q.day, -DAYS_BACK), q.day];
  const url = new URL(q.url);
  url.pathname = `${url.pathname.replace(/\/+$/, '')}/products/${q.quote}-USD/candles`;
  url.searchParams.set('granularity', String(DAY_SECONDS));
  url.searchParams.set('start', startOf(from).toISOString());
  url.searchParams.set('end', startOf(to).toISOString());
  const parsed = candles.safeParse((await fetchExact(url.href)) ?? []);
  if (!parsed.success) throw new SourceDown(`${url.host} answered in an unknown shape`);

  const [last] = parsed.data
    .filter(({ day }) => day >= from && day <= to)
    .sort((a, b) => (a.day < b.day ? 1 : -1));
  if (!last) return null;
  return {
    base: q.quote,
    rate: '1',
    usdRate: last.close,
    publishedOn: last.day,
    finality: 'for_48_hours',
  };
}
