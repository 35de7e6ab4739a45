import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest';
import type { PrismaClient } from '@/generated/prisma/client';
import { trusted } from '@/server/trusted';
import type { Env, RateSources } from '@/server/env';
import { ServiceError } from '@/server/errors';
import { createTestDatabase, type TestDatabase } from '@/tests/harness/create-test-database';
import { startSources, type TestSources } from './rate-sources.fixture';
import type { RatesContext } from './find-rate';
import { valueLocally } from './local-rate';

/** Context of a look-up. */
function ratesContext(db: PrismaClient, sources: TestSources): RatesContext {
  const rates = {
    url: sources.url,
    ecbName: 'ECB reference rate',
    name: 'blended rates',
    datedUrl: `${sources.url}/files/{date}`,
    datedName: 'currency-api daily rates',
    solUrl: sources.url,
    solName: 'Coinbase SOL-USD daily close',
  };
  return {
    db,
    env: trusted<Env>({ network: 'local', rates }, 'look-ups read nothing else of the settings'),
  };
}

/** The database with a clock that the test sets: every other query passes unchanged. */
function atTime(db: PrismaClient, now: { at: string }): PrismaClient {
  const extended = db.$extends({
    query: {
      $queryRaw: ({ args, query }) =>
        args.sql.includes('clock_timestamp()')
          ? Promise.resolve([{ ms: Date.parse(now.at) }])
          : query(args),
    },
  });
  return trusted<PrismaClient>(extended, 'an extended client has all that the plain one has');
}

/** A table and sources of its own for each test of a file, and what its tests do with them. */
export function openRates() {
  let database: TestDatabase | null = null;
  let timed: PrismaClient | null = null;
  let sources: TestSources | null = null;
  const now = { at: '' };
  const have = <T>(value: T | null): T => {
    if (value === null) throw new Error('only in a test');
    return value;
  };
  const rates = {
    /** The database's time. */
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
      const ctx = ratesContext(have(timed), rates.sources);
      return { ...ctx, env: { ...ctx.env, rates: { ...ctx.env.rates, ...rates.changes } } };
    },
    /** 12.345678 dollars in a country's currency. */
    inCountry: (country: string, day: string) =>
      valueLocally({
        ctx: rates.ctx,
        country,
        day,
        usdMicros: 12_345_678n,
        token: { amountRaw: 12_345_678n, decimals: 6, valuation: 'par' },
      }),
  };
  beforeAll(async () => {
    database = await createTestDatabase();
    timed = atTime(database.prisma, now);
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

/** The refusal of a look-up that must fail. */
export async function refusal(promise: Promise<unknown>): Promise<ServiceError> {
  const error: unknown = await promise.then(
    () => new Error('was answered'),
    (thrown: unknown) => thrown,
  );
  if (error instanceof ServiceError) return error;
  throw error;
}
