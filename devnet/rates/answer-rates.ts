import { Refusal } from '../storage/http';
import type { RateServer } from './rate-server';

const DAY_MS = 86_400_000;
/** Longer than any range that a client of ours asks for. */
const MOST_DAYS = 1_000;

/** The answer to a path of one of the three layouts; null for what there is not. */
export function answerRates(parts: RateServer, url: URL): unknown {
  const { pathname } = url;
  if (pathname === '/v2/rates') return frankfurterRange(parts, url.searchParams);
  if (pathname === '/v2/currencies') return frankfurterCurrencies(parts);
  const dated = /^\/dated\/(\d{4}-\d{2}-\d{2})\/v1\/currencies\/usd(\.min)?\.json$/.exec(pathname);
  if (dated) return datedFile(parts, dated[1] ?? '');
  if (pathname === '/products/SOL-USD/candles') return dailyCandles(parts, url.searchParams);
  return null;
}

/** One record a day and quote, as Frankfurter's v2 gives for a range. */
function frankfurterRange({ rates, faults }: RateServer, query: URLSearchParams): unknown {
  const base = query.get('base') ?? 'EUR';
  if (base !== 'EUR' && base !== 'USD') throw new Refusal(422, `invalid currency: ${base}`);
  const perBase = base === 'EUR' ? rates.perEuro : rates.perDollar;
  const quotes = (query.get('quotes') ?? '').split(',').filter(Boolean);
  return daysBetween(query.get('from'), query.get('to'))
    .filter((day) => faults.isPublished(day))
    .flatMap((date) =>
      quotes.flatMap((quote) => {
        const rate = perBase.get(quote);
        return rate === undefined || !isCurrency(quote) ? [] : [{ date, base, quote, rate }];
      }),
    );
}

function frankfurterCurrencies({ rates, faults }: RateServer): unknown {
  return [...rates.perEuro.keys()]
    .filter(isCurrency)
    .map((code) => ({ iso_code: code, start_date: faults.current().firstDay ?? '1999-01-04' }));
}

/** The package holds coins as well, by symbols that no bank publishes. */
const isCurrency = (code: string) => /^[A-Z]{3}$/.test(code) && code !== 'SOL';

function datedFile({ rates, faults }: RateServer, date: string): unknown {
  if (!faults.isPublished(date)) return null;
  const usd = [...rates.perDollar].map(([code, rate]) => [code.toLowerCase(), rate]);
  return { date, usd: Object.fromEntries(usd) };
}

/** `[begin in seconds, low, high, open, close, volume]`, newest first, as Coinbase Exchange gives. */
function dailyCandles({ rates, faults }: RateServer, query: URLSearchParams): unknown {
  if (query.get('granularity') !== '86400') throw new Refusal(400, 'only whole days are served');
  const price = rates.solInDollars;
  return daysBetween(query.get('start')?.slice(0, 10), query.get('end')?.slice(0, 10))
    .filter((day) => faults.isPublished(day))
    .map((day) => [Date.parse(day) / 1_000, price, price, price, price, 0])
    .reverse();
}

function daysBetween(from: string | null | undefined, to: string | null | undefined): string[] {
  const [begin, end] = [Date.parse(from ?? ''), Date.parse(to ?? '')];
  if (Number.isNaN(begin) || Number.isNaN(end)) throw new Refusal(422, 'invalid date');
  const count = Math.min(Math.floor((end - begin) / DAY_MS) + 1, MOST_DAYS);
  return Array.from({ length: Math.max(0, count) }, (_, i) =>
    new Date(begin + i * DAY_MS).toISOString().slice(0, 10),
  );
}
