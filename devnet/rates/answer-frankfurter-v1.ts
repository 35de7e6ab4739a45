import { Refusal } from '../storage/http';
import { addDays, daysBetween } from './days';
import type { RateServer } from './rate-server';
import { currenciesOf, figureOf } from './sample-banks';

/** How many days back v1 searches for the last publication. */
const LOOKBACK_DAYS = 14;

/** Frankfurter's v1, the ECB alone: `/v1/{day}`, `/v1/latest`, `/v1/{from}..{to}`, `/v1/currencies`. */
export function answerFrankfurterV1(parts: RateServer, url: URL): unknown {
  const { pathname, searchParams: query } = url;
  const today = parts.now().toISOString().slice(0, 10);
  if (pathname === '/v1/currencies')
    return Object.fromEntries(currenciesOf(parts, 'ECB').map((code) => [code, code]));
  const day = /^\/v1\/(latest|\d{4}-\d{2}-\d{2})$/.exec(pathname)?.[1];
  if (day !== undefined) return answerDay(parts, query, day === 'latest' ? today : day);
  const range = /^\/v1\/(\d{4}-\d{2}-\d{2})\.\.(\d{4}-\d{2}-\d{2})?$/.exec(pathname);
  return range ? answerRange(parts, query, { from: range[1] ?? '', to: range[2] ?? today }) : null;
}

function answerDay(parts: RateServer, query: URLSearchParams, day: string): unknown {
  const { base, figures } = figuresFor(parts, query);
  const [date] = publishedIn(parts, { from: addDays(day, -LOOKBACK_DAYS), to: day }).slice(-1);
  return date === undefined ? null : { amount: 1, base, date, rates: figures };
}

function answerRange(
  parts: RateServer,
  query: URLSearchParams,
  range: { from: string; to: string },
): unknown {
  const { base, figures } = figuresFor(parts, query);
  const days = publishedIn(parts, range);
  if (days.length === 0) return null;
  return {
    amount: 1,
    base,
    start_date: days[0],
    end_date: days.at(-1),
    rates: Object.fromEntries(days.map((day) => [day, figures])),
  };
}

function publishedIn(parts: RateServer, range: { from: string; to: string }): string[] {
  return daysBetween(range.from, range.to).filter((day) => parts.faults.isPublished(day));
}

function figuresFor(
  parts: RateServer,
  query: URLSearchParams,
): { base: string; figures: Record<string, number> } {
  const base = (query.get('base') ?? query.get('from') ?? 'EUR').toUpperCase();
  const wanted = (query.get('symbols') ?? query.get('to'))?.toUpperCase().split(',');
  const known = currenciesOf(parts, 'ECB');
  if (!known.includes(base)) throw new Refusal(404, 'not found');
  const figures = (wanted ?? known)
    .filter((quote) => quote !== base)
    .flatMap((quote) => {
      const rate = figureOf(parts, { base, quote, bank: 'ECB' });
      return rate === null ? [] : [[quote, rate] as const];
    });
  if (figures.length === 0) throw new Refusal(404, 'not found');
  return { base, figures: Object.fromEntries(figures) };
}
