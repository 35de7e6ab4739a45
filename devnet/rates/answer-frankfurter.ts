import { addDays, daysBetween } from './days';
import { Refusal } from '../storage/http';
import type { RateServer } from './rate-server';
import { BANKS, currenciesOf, figureOf, type Bank } from './sample-banks';

const RATES = ['base', 'quotes', 'providers', 'date', 'from', 'to', 'group', 'expand'];
/** How many days back Frankfurter searches when a day has no figure. */
const LOOKBACK_DAYS = 14;

/** Frankfurter's v2: `/v2/rates`, `/v2/rate/{base}/{quote}`, `/v2/currencies`, `/v2/providers`. */
export function answerFrankfurter(parts: RateServer, url: URL): unknown {
  const { pathname, searchParams: query } = url;
  if (pathname === '/v2/rates') return answerRates(parts, query);
  if (pathname === '/v2/currencies') return listCurrencies(parts, query);
  if (pathname === '/v2/providers') return listBanks(parts);
  const pair = /^\/v2\/rate\/([A-Za-z]{3})\/([A-Za-z]{3})$/.exec(pathname);
  if (!pair) return null;
  const asked = new URLSearchParams(query);
  asked.set('base', pair[1] ?? '');
  asked.set('quotes', pair[2] ?? '');
  return answerRates(parts, asked)[0] ?? null;
}

type Row = { date: string; base: string; quote: string; rate: number };

function answerRates(parts: RateServer, query: URLSearchParams): Row[] {
  const unknown = [...query.keys()].filter((name) => !RATES.includes(name));
  if (unknown.length > 0) throw new Refusal(422, `unknown parameter: ${unknown.join(', ')}`);
  for (const name of ['group', 'expand'])
    if (query.has(name)) throw new Refusal(422, `${name} is not served here`);
  const base = (query.get('base') ?? 'EUR').toUpperCase();
  const all = currenciesOf(parts, 'SAMPLE');
  const quotes = query.get('quotes')?.toUpperCase().split(',') ?? all.filter((one) => one !== base);
  const invalid = [base, ...quotes].filter((code) => !all.includes(code));
  if (invalid.length > 0) throw new Refusal(422, `invalid currency: ${invalid.join(',')}`);
  const bank = bankOf(query.get('providers'));
  return daysOf(parts, query).flatMap((date) =>
    [...quotes].sort().flatMap((quote) => {
      const rate = figureOf(parts, { base, quote, bank });
      return rate === null ? [] : [{ date, base, quote, rate }];
    }),
  );
}

/** Null is the blend of all banks. Unknown banks give no rates. */
function bankOf(providers: string | null): Bank | null {
  if (providers === null) return null;
  return providers.toUpperCase().split(',').includes('ECB') ? 'ECB' : 'SAMPLE';
}

/**
 * The days of publication that a query covers. If its first day has none, the one before is used.
 */
function daysOf(parts: RateServer, query: URLSearchParams): string[] {
  const [date, from, to] = [query.get('date'), query.get('from'), query.get('to')];
  if (date !== null && (from !== null || to !== null)) throw new Refusal(422, 'conflicting params');
  const today = parts.now().toISOString().slice(0, 10);
  const published = (day: string) => parts.faults.isPublished(day);
  const before = (day: string) =>
    daysBetween(addDays(day, -LOOKBACK_DAYS), day).filter(published).slice(-1);
  if (from === null) return before(date ?? today);
  const inRange = daysBetween(from, to ?? today).filter(published);
  return inRange[0] === from ? inRange : [...before(from), ...inRange];
}

function listCurrencies(parts: RateServer, query: URLSearchParams): unknown {
  const bank = bankOf(query.get('providers')) ?? 'SAMPLE';
  return currenciesOf(parts, bank).map((code) => ({
    iso_code: code,
    name: code,
    start_date: parts.faults.current().firstDay ?? '1999-01-04',
    end_date: parts.now().toISOString().slice(0, 10),
  }));
}

function listBanks(parts: RateServer): unknown {
  return BANKS.map((key) => ({
    key,
    name: key === 'ECB' ? 'European Central Bank' : 'Sample bank',
    start_date: parts.faults.current().firstDay ?? '1999-01-04',
    end_date: parts.now().toISOString().slice(0, 10),
    currencies: currenciesOf(parts, key),
  }));
}
