import { z } from 'zod';
import { addDays, dayOf, startOf } from '@/server/clock';
import {
  DAYS_BACK,
  decimal,
  fetchExact,
  isoDay,
  type Published,
  type RateQuestion,
  SourceDown,
} from './fetch-exact';

const records = z.array(
  z.object({ date: isoDay, base: z.string(), quote: z.string(), rate: decimal }),
);
const currencies = z.array(z.looseObject({ iso_code: z.string(), start_date: isoDay.nullish() }));

export type FrankfurterRange = {
  base: string;
  quotes: readonly string[];
  from: string;
  to: string;
  /** One bank's own figures instead of the blend of all. */
  providers?: string;
};

/**
 * Asks a Frankfurter server (v2, `GET /v2/rates?from=&to=`) for a range of days: by day, the figure of each
 * quote. A range gives every day on which something was published and carries nothing forward, so that the
 * day of a figure is its real one. Throws {@link SourceDown}.
 */
async function askRange(
  origin: string,
  { base, quotes, from, to, providers }: FrankfurterRange,
): Promise<Map<string, ReadonlyMap<string, string>>> {
  const url = addressOf(origin, '/v2/rates');
  url.searchParams.set('base', base);
  url.searchParams.set('quotes', quotes.join(','));
  url.searchParams.set('from', from);
  url.searchParams.set('to', to);
  if (providers !== undefined) url.searchParams.set('providers', providers);
  const answer = await fetchExact(url.href);
  const rows = answer === null ? [] : parse(records, answer, url);

  const days = new Map<string, Map<string, string>>();
  for (const { date, base: rowBase, quote, rate } of rows) {
    // For a first day without figures the server answers with earlier ones, which are too old.
    if (rowBase !== base || date < from || date > to) continue;
    const ofDay = days.get(date) ?? new Map<string, string>();
    days.set(date, ofDay.set(quote, rate));
  }
  return days;
}

/** First day of a currency in the list of the server; null if it is not there. */
async function listedStart(origin: string, quote: string): Promise<string | null> {
  const url = addressOf(origin, '/v2/currencies');
  const answer = await fetchExact(url.href);
  const known = answer === null ? [] : parse(currencies, answer, url);
  return known.find(({ iso_code: code }) => code === quote)?.start_date ?? null;
}

/** Adds a path to the setting and keeps its parameters. */
function addressOf(origin: string, path: string): URL {
  const url = new URL(origin);
  url.pathname = url.pathname.replace(/\/+$/, '') + path;
  return url;
}

function parse<T>(schema: z.ZodType<T>, answer: unknown, url: URL): T {
  const parsed = schema.safeParse(answer);
  if (parsed.success) return parsed.data;
  throw new SourceDown(`${url.host} answered in an unknown shape`);
}

/**
 * Frankfurter's blend of all banks, requested for one dollar. The server rounds each figure to five
 * digits, so two euro figures crossed would be rounded twice. A bank that publishes on a Saturday
 * counts on that day. Null when no bank published in those seven days. Throws SourceDown.
 */
export async function askBlend(q: RateQuestion): Promise<Published | null> {
  const from = addDays(q.day, -DAYS_BACK);
  const figures = await figuresOf(q, { from, to: q.day });
  const last = figures.at(-1);
  return last ? { base: BASE, usdRate: '1', ...last, finality: 'for_48_hours' } : null;
}

/**
 * The first day on which the blend has the currency; null when that is not known. The server's list also
 * counts series that never enter the blend, so its day counts only if the blend really answers there.
 */
export async function firstDayOfBlend(q: RateQuestion): Promise<string | null> {
  const start = await listedStart(q.url, q.quote);
  if (start === null || start <= q.day) return start;
  const [first] = await figuresOf(q, { from: start, to: addDays(start, DAYS_BACK) });
  return first?.publishedOn ?? null;
}

const BASE = 'USD';

/** The published figures of a range, oldest first. */
async function figuresOf(
  q: Pick<RateQuestion, 'url' | 'quote'>,
  o: { from: string; to: string },
): Promise<Pick<Published, 'rate' | 'publishedOn'>[]> {
  const days = await askRange(q.url, { ...o, base: BASE, quotes: [q.quote] });
  return [...days]
    .flatMap(([publishedOn, figures]) => {
      const rate = figures.get(q.quote);
      return rate === undefined ? [] : [{ publishedOn, rate }];
    })
    .sort((a, b) => (a.publishedOn < b.publishedOn ? -1 : 1));
}

/**
 * The European Central Bank's reference rate of a currency, from a Frankfurter server asked for
 * that bank alone. The figures are for one euro, digit by digit as the ECB publishes them. The
 * dollar and the currency so come from the same publication, and the caller crosses them.
 *
 * Null when the ECB has no figure. The last publication on or before the day may lack the currency:
 * the ECB stopped the rouble after 1 March 2022. Or there is no publication in those seven days. A
 * figure is final once the ECB has published for a later day. Throws SourceDown.
 */
export async function askEcb(q: RateQuestion): Promise<Published | null> {
  const days = await askRange(q.url, {
    providers: 'ECB',
    base: 'EUR',
    quotes: q.quote === 'EUR' ? ['USD'] : ['USD', q.quote],
    from: addDays(q.day, -DAYS_BACK),
    to: endOf(q),
  });
  // The ECB publishes all its currencies at once: a day with a dollar is a day of publication.
  const published = [...days].filter(([, figures]) => figures.has('USD'));
  const [last] = published.filter(([day]) => day <= q.day).sort(([a], [b]) => (a < b ? 1 : -1));
  if (!last) return null;
  const [publishedOn, figures] = last;
  const rate = q.quote === 'EUR' ? '1' : figures.get(q.quote);
  const usdRate = figures.get('USD');
  if (rate === undefined || usdRate === undefined) return null;
  const isSuperseded = published.some(([day]) => day > q.day);
  const finality = isSuperseded ? 'final' : 'until_superseded';
  return { base: 'EUR', rate, usdRate, publishedOn, finality };
}

/** A later publication makes the rate final. A future day cannot be requested. */
function endOf({ day, today }: RateQuestion): string {
  const weekLater = addDays(day, DAYS_BACK);
  if (weekLater < today) return weekLater;
  return day > today ? day : today;
}

/** Trading of SOL on Coinbase began on this day. */
export const FIRST_CANDLE = '2021-06-17';
const DAY_SECONDS = 86_400;

/** Begin of the day in seconds, low, high, open, close, and what follows (volume). */
const candles = z.array(
  z
    .tuple([z.string().regex(/^\d{1,12}$/), decimal, decimal, decimal, decimal], z.unknown())
    .transform(([begin, , , , close]) => ({ day: dayOf(new Date(Number(begin) * 1_000)), close })),
);

/**
 * Asks the daily candles of a Coinbase Exchange API for a coin's price in US dollars. It is the
 * close of the UTC day, which still moves during the day. Null when nothing was traded on that day
 * or in the seven before it. Throws SourceDown.
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

/** First day of fawazahmed0/exchange-api: nothing was published before it. */
export const FIRST_DATED_FILE = '2024-03-02';

const file = z.looseObject({ date: isoDay, usd: z.record(z.string(), z.unknown()) });

/**
 * Asks files of the currency-api layout, one a day: `<folder of the day>/currencies/usd.min.json`. A day
 * without a file is walked back from, at most seven days; null when none of them has the currency. Throws
 * SourceDown if a file is unavailable for another reason.
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
  // A server that falls back to its latest file returns one of another day than its address says.
  if (!parsed.success || parsed.data.date !== day)
    throw new SourceDown(`${new URL(url).host} answered without rates of ${day}`);
  return decimal.safeParse(parsed.data.usd[q.quote.toLowerCase()]).data ?? null;
}
