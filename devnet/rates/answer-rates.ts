import { Refusal } from '../storage/http';
import { answerFrankfurter } from './answer-frankfurter';
import { answerFrankfurterV1 } from './answer-frankfurter-v1';
import { daysBetween } from './days';
import type { RateServer } from './rate-server';

/** The answer to a path of one of the layouts, or null for an unknown path. */
export function answerRates(parts: RateServer, url: URL): unknown {
  const { pathname } = url;
  if (pathname.startsWith('/v2/')) return answerFrankfurter(parts, url);
  if (pathname.startsWith('/v1/')) return answerFrankfurterV1(parts, url);
  const dated = /^\/dated\/(\d{4}-\d{2}-\d{2})\/v1\/currencies\/([a-z0-9]+)(\.min)?\.json$/.exec(
    pathname,
  );
  if (dated) return datedFile(parts, dated[1] ?? '', dated[2] ?? '');
  if (pathname === '/products/SOL-USD/candles') return dailyCandles(parts, url.searchParams);
  return null;
}

/** A file of the currency-api layout: `usd` and `eur`, with currencies and coins in lower case. */
function datedFile({ rates, faults }: RateServer, date: string, base: string): unknown {
  const figures = { usd: rates.perDollar, eur: rates.perEuro }[base];
  if (!figures || !faults.isPublished(date)) return null;
  const lower = [...figures].map(([code, rate]) => [code.toLowerCase(), rate]);
  return { date, [base]: Object.fromEntries(lower) };
}

/**
 * `[begin in seconds, low, high, open, close, volume]`, newest first, as Coinbase Exchange returns
 * them.
 */
function dailyCandles({ rates, faults }: RateServer, query: URLSearchParams): unknown {
  if (query.get('granularity') !== '86400') throw new Refusal(400, 'only whole days are served');
  const price = rates.solInDollars;
  return daysBetween(query.get('start')?.slice(0, 10), query.get('end')?.slice(0, 10))
    .filter((day) => faults.isPublished(day))
    .map((day) => [Date.parse(day) / 1_000, price, price, price, price, 0])
    .reverse();
}
