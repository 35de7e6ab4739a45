import { z } from 'zod';
import { addDays } from './day';
import { fetchExact, SourceDown } from './fetch-exact';
import {
  DAYS_BACK,
  decimal,
  isoDay,
  type Missing,
  type Published,
  type RateQuestion,
} from './published';

const records = z.array(
  z.object({ date: isoDay, base: z.string(), quote: z.string(), rate: decimal }),
);
const currencies = z.array(z.looseObject({ iso_code: z.string(), start_date: isoDay.nullish() }));

/**
 * Asks a Frankfurter server (v2, `GET /v2/rates?from=&to=`). A range gives every day that was published
 * and carries nothing forward, so that the day of a rate is its real one. Euro-based, as the ECB's are:
 * two figures of one day, crossed by whoever uses them. Throws SourceDown.
 */
export async function askFrankfurter(q: RateQuestion): Promise<Published | Missing> {
  const from = addDays(q.day, -DAYS_BACK);
  const weekLater = addDays(q.day, DAYS_BACK);
  // A later publication makes the rate final; what lies in the future cannot be asked for.
  const to = weekLater < q.today ? weekLater : q.day > q.today ? q.day : q.today;
  const quotes = [...new Set(['USD', q.quote])].filter((quote) => quote !== BASE).join(',');
  const answer = await fetchExact(at(q.url, '/v2/rates', { base: BASE, quotes, from, to }));
  const rows = answer === null ? [] : parse(records, answer, q.url);

  const days = new Map<string, Map<string, string>>();
  for (const { date, base, quote, rate } of rows) {
    // A silent first day is answered with what was published before it: that is too far back.
    if (base !== BASE || date < from || date > to) continue;
    const ofDay = days.get(date) ?? new Map([[BASE, '1']]);
    days.set(date, ofDay.set(quote, rate));
  }
  let found: Omit<Published, 'isSuperseded'> | null = null;
  let isSuperseded = false;
  for (const [date, ofDay] of days) {
    const [rate, usdRate] = [ofDay.get(q.quote), ofDay.get('USD')];
    if (rate === undefined || usdRate === undefined) continue;
    if (date > q.day) isSuperseded = true;
    else if (found === null || date > found.publishedOn)
      found = { base: BASE, rate, usdRate, publishedOn: date };
  }
  return found ? { ...found, isSuperseded } : { missing: true, firstDay: await firstDayOf(q) };
}

const BASE = 'EUR';

/** When the source's series of a currency begins, if that is after the day. */
async function firstDayOf(q: RateQuestion): Promise<string | null> {
  const answer = await fetchExact(at(q.url, '/v2/currencies', {}));
  const known = answer === null ? [] : parse(currencies, answer, q.url);
  const begin = known.find(({ iso_code: code }) => code === q.quote)?.start_date ?? null;
  return begin !== null && begin > q.day ? begin : null;
}

/** Adds a path and parameters to the setting, whose own parameters (`providers=ECB`) stay. */
function at(origin: string, path: string, parameters: Record<string, string>): string {
  const url = new URL(origin);
  url.pathname = url.pathname.replace(/\/+$/, '') + path;
  if (Object.keys(parameters).length === 0) url.search = '';
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value);
  return url.href;
}

function parse<T>(schema: z.ZodType<T>, answer: unknown, url: string): T {
  const parsed = schema.safeParse(answer);
  if (parsed.success) return parsed.data;
  throw new SourceDown(`${new URL(url).host} answered in an unknown shape`);
}
