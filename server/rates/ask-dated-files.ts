import { z } from 'zod';
import { addDays } from './day';
import { fetchExact, SourceDown } from './fetch-exact';
import { DAYS_BACK, decimal, isoDay, type Published, type RateQuestion } from './published';

/** First day of fawazahmed0/exchange-api: nothing was published before it. */
export const FIRST_DATED_FILE = '2024-03-02';

const file = z.looseObject({ date: isoDay, usd: z.record(z.string(), z.unknown()) });

/**
 * Asks files of the currency-api layout, one a day: `<folder of the day>/currencies/usd.min.json`. A day
 * without a file is walked back from, at most seven days; null when none of them has the currency. Throws
 * SourceDown when a file cannot be had for another reason.
 */
export async function askDatedFiles(q: RateQuestion): Promise<Published | null> {
  for (let back = 0; back <= DAYS_BACK; back += 1) {
    const day = addDays(q.day, -back);
    if (day < FIRST_DATED_FILE) return null;
    if (day > q.today) continue;
    const rate = await rateOfDay(q, day);
    if (rate === null) continue;
    return { base: 'USD', rate, usdRate: '1', publishedOn: day, finality: 'for_48_hours' };
  }
  return null;
}

async function rateOfDay(q: RateQuestion, day: string): Promise<string | null> {
  const url = `${q.url.replaceAll('{date}', day)}/currencies/usd.min.json`;
  const answer = await fetchExact(url);
  if (answer === null) return null;
  const parsed = file.safeParse(answer);
  // A file of another day than its address says is what a server gives that falls back to its latest.
  if (!parsed.success || parsed.data.date !== day)
    throw new SourceDown(`${new URL(url).host} answered with something else than rates of ${day}`);
  return decimal.safeParse(parsed.data.usd[q.quote.toLowerCase()]).data ?? null;
}
