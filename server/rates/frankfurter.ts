import { z } from 'zod';
import { fetchExact, SourceDown } from './fetch-exact';
import { decimal, isoDay } from './published';

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
export async function askRange(
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
    // A silent first day is answered with what was published before it: that is too far back.
    if (rowBase !== base || date < from || date > to) continue;
    const ofDay = days.get(date) ?? new Map<string, string>();
    days.set(date, ofDay.set(quote, rate));
  }
  return days;
}

/** Where the server's own list says that its series of a currency begins; null when it does not say. */
export async function listedStart(origin: string, quote: string): Promise<string | null> {
  const url = addressOf(origin, '/v2/currencies');
  const answer = await fetchExact(url.href);
  const known = answer === null ? [] : parse(currencies, answer, url);
  return known.find(({ iso_code: code }) => code === quote)?.start_date ?? null;
}

/** Adds a path to the setting, whose own parameters stay. */
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
