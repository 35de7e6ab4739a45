import { z } from 'zod';
import { addDays, dayOf, startOf } from './day';
import { fetchExact, SourceDown } from './fetch-exact';
import { DAYS_BACK, decimal, type Missing, type Published, type RateQuestion } from './published';

/** Coinbase opened trade in SOL on this day. */
const FIRST_DAY = '2021-06-17';
const DAY_SECONDS = 86_400;

/** Begin of the day in seconds, low, high, open, close, and what follows (volume). */
const candles = z.array(
  z
    .tuple([z.string().regex(/^\d{1,12}$/), decimal, decimal, decimal, decimal], z.unknown())
    .transform(([begin, , , , close]) => ({ day: dayOf(new Date(Number(begin) * 1_000)), close })),
);

/**
 * Asks the daily candles of a Coinbase Exchange API for a coin's price in US dollars: the close of the
 * UTC day, which is still moving while the day lasts. Throws SourceDown.
 */
export async function askDailyCandles(q: RateQuestion): Promise<Published | Missing> {
  if (q.day < FIRST_DAY) return { missing: true, firstDay: FIRST_DAY };
  const [from, to] = [addDays(q.day, -DAYS_BACK), addDays(q.day, DAYS_BACK)];
  const url = new URL(q.url);
  url.pathname = `${url.pathname.replace(/\/+$/, '')}/products/${q.quote}-USD/candles`;
  url.searchParams.set('granularity', String(DAY_SECONDS));
  url.searchParams.set('start', startOf(from).toISOString());
  url.searchParams.set('end', startOf(to).toISOString());
  const parsed = candles.safeParse((await fetchExact(url.href)) ?? []);
  if (!parsed.success) throw new SourceDown(`${url.host} answered in an unknown shape`);

  const near = parsed.data.filter(({ day }) => day >= from && day <= to);
  const [last] = near.filter(({ day }) => day <= q.day).sort((a, b) => (a.day < b.day ? 1 : -1));
  if (!last) return { missing: true, firstDay: null };
  return {
    base: q.quote,
    rate: '1',
    usdRate: last.close,
    publishedOn: last.day,
    isSuperseded: near.some(({ day }) => day > q.day),
  };
}
