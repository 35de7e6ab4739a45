import { createServer } from 'node:http';
import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest';
import type { PrismaClient } from '@/generated/prisma/client';
import { trusted } from '@/server/trusted';
import type { Env, RateSources } from '@/server/env';
import { ServiceError } from '@/server/errors';
import { createTestDatabase, type TestDatabase } from '@/tests/harness/create-test-database';
import type { RatesContext } from './rates-context';
import { valueLocally } from './value-locally';

/** One ECB publication: units of each currency for one euro. */
type Day = Readonly<Record<string, string>>;

/**
 * Days on which the source here publishes, and no others. The figures of 2024-03-01, 2025-06-13 and
 * 2025-12-24 are those of the ECB's reference rates as far as the vectors need them.
 */
export const ECB: Readonly<Record<string, Day>> = {
  '2024-03-01': { USD: '1.0813', JPY: '162.82' },
  '2025-06-13': { USD: '1.1512', JPY: '165.98' },
  '2025-12-23': { USD: '1.1780', GBP: '0.8700' },
  '2025-12-24': {
    ...{ USD: '1.1787', GBP: '0.8729', JPY: '183.83', KRW: '1707.04', IDR: '19740.28' },
    ...{ INR: '105.7755', CHF: '0.9284' },
  },
  '2025-12-29': { USD: '1.1766', GBP: '0.87135', JPY: '183.83', KRW: '1690', IDR: '19700' },
};

type TestSources = {
  url: string;
  /** Paths asked for, in order. */
  asked: string[];
  /** What each source has; change it to publish more. */
  ecb: Record<string, Day>;
  /** Dated files: units for one dollar. */
  files: Record<string, Record<string, number>>;
  /** Closes of SOL. */
  candles: Record<string, number>;
  /** Answers every request with this status instead; 0 drops the connection. */
  fails: number | null;
  firstDays: Record<string, string>;
  close(): Promise<void>;
};

/** Frankfurter, currency-api and Coinbase on one port, with the holes of their calendars. */
async function startSources(): Promise<TestSources> {
  const sources: Omit<TestSources, 'url' | 'close'> = {
    ...{ asked: [], ecb: { ...ECB }, files: {}, candles: {}, fails: null, firstDays: {} },
  };
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? '/', 'http://test');
    sources.asked.push(url.pathname + url.search);
    if (sources.fails === 0) return void request.socket.destroy();
    const body = sources.fails === null ? answer(sources, url) : 'down';
    response.writeHead(sources.fails ?? (body === null ? 404 : 200));
    response.end(body ?? '{}');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const port = typeof address === 'object' && address ? address.port : 0;
  return Object.assign(sources, {
    url: `http://127.0.0.1:${port}`,
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  });
}

function answer(sources: Omit<TestSources, 'url' | 'close'>, url: URL): string | null {
  const q = url.searchParams;
  const text = (name: string) => q.get(name) ?? '';
  if (url.pathname === '/v2/currencies')
    return JSON.stringify(
      Object.entries(sources.firstDays).map(([code, day]) => ({ iso_code: code, start_date: day })),
    );
  if (url.pathname === '/v2/rates') {
    const quotes = text('quotes').split(',');
    const days = Object.keys(sources.ecb).sort();
    // As the real one: a silent first day is answered with the publication before it.
    const before = days.filter((day) => day < text('from')).slice(-1);
    const inRange = days.filter((day) => day >= text('from') && day <= text('to'));
    const snapped = inRange.includes(text('from')) ? inRange : [...before, ...inRange];
    const rows = snapped.flatMap((date) =>
      quotes.flatMap((quote) => {
        const rate = sources.ecb[date]?.[quote];
        return rate === undefined
          ? []
          : [`{"date":"${date}","base":"EUR","quote":"${quote}","rate":${rate}}`];
      }),
    );
    return `[${rows.join(',')}]`;
  }
  if (url.pathname === '/products/SOL-USD/candles')
    return JSON.stringify(
      Object.entries(sources.candles)
        .filter(([day]) => day >= text('start').slice(0, 10) && day <= text('end').slice(0, 10))
        .map(([day, close]) => [Date.parse(day) / 1000, 1, 999, 2, close, 12345.678])
        .reverse(),
    );
  const date =
    /^\/files\/([\d-]+)(?:\/for-[\d-]+)?\/currencies\/usd\.min\.json$/.exec(url.pathname)?.[1] ??
    '';
  const usd = sources.files[date];
  return usd ? JSON.stringify({ date, usd }) : null;
}

/** What a look-up works with, at a fixed time that the test may change. */
function ratesContext(db: PrismaClient, sources: TestSources, now: { at: string }): RatesContext {
  const rates = {
    ...{ url: sources.url, name: 'ECB reference rate' },
    ...{ datedUrl: `${sources.url}/files/{date}`, datedName: 'currency-api daily rates' },
    ...{ solUrl: sources.url, solName: 'Coinbase SOL-USD daily close' },
  };
  return {
    db,
    env: trusted<Env>({ network: 'local', rates }, 'look-ups read nothing else of the settings'),
    clock: { now: () => new Date(now.at) },
  };
}

/** A table and sources of its own for each test of a file, and what its tests do with them. */
export function openRates() {
  let database: TestDatabase | null = null;
  let sources: TestSources | null = null;
  const now = { at: '' };
  const have = <T>(value: T | null): T => {
    if (value === null) throw new Error('only in a test');
    return value;
  };
  const rates = {
    now,
    get db() {
      return have(database).prisma;
    },
    get sources() {
      return have(sources);
    },
    /** Settings of the sources that a test changes. */
    changes: trusted<Partial<RateSources>>({}, 'nothing is changed yet'),
    get ctx(): RatesContext {
      const ctx = ratesContext(rates.db, rates.sources, now);
      return { ...ctx, env: { ...ctx.env, rates: { ...ctx.env.rates, ...rates.changes } } };
    },
    /** 12.345678 dollars in a country's currency. */
    inCountry: (country: string, day: string) =>
      valueLocally({
        ...{ ctx: rates.ctx, country, day, usdMicros: 12_345_678n },
        token: { amountRaw: 12_345_678n, decimals: 6, valuation: 'par' },
      }),
  };
  beforeAll(async () => {
    database = await createTestDatabase();
  });
  afterAll(() => database?.close());
  beforeEach(async () => {
    await rates.db.rate.deleteMany();
    sources = await startSources();
    now.at = '2026-03-01T12:00:00Z';
    rates.changes = {};
  });
  afterEach(() => sources?.close());
  return rates;
}

/** The refusal of a look-up that must not be answered. */
export async function refusal(promise: Promise<unknown>): Promise<ServiceError> {
  const error: unknown = await promise.then(
    () => new Error('was answered'),
    (thrown: unknown) => thrown,
  );
  if (error instanceof ServiceError) return error;
  throw error;
}
