import { Redis } from 'ioredis';
import { Pool } from 'pg';
import {
  RateLimiterPostgres,
  RateLimiterRedis,
  RateLimiterRes,
  type RateLimiterStoreAbstract,
} from 'rate-limiter-flexible';
import { KEEP_CONNECTED } from './db/client';
import { env } from './env';
import { LIMITS, type LimitName } from './limits';
import { log } from './log';

/** Where a key stands after it took points. */
export type LimitState = {
  isOver: boolean;
  most: number;
  left: number;
  /** Until the window begins anew. */
  resetMs: number;
};

/** Longest a request waits for the counts; then the store counts as down. */
const PATIENCE_MS = 3_000;
/** The counts take few connections from the service's own. */
const CONNECTIONS = 4;
const COMPLAIN_EVERY_MS = 10_000;

let pool: Pool | undefined;
let redis: Redis | undefined;
const limiters = new Map<LimitName, RateLimiterStoreAbstract>();
let complainedAt = -Infinity;

/**
 * Takes points of a limit that all processes share. Null when the store does not answer in time; points
 * beyond the limit are taken as well, so that who goes on asking goes on waiting.
 */
export function takePoints(o: {
  name: LimitName;
  key: string;
  points: number;
}): Promise<LimitState | null> {
  return ask(o.name, async (limiter) => limiter.consume(o.key, o.points));
}

/** Takes points that were spent already: the key may fall below zero. */
export function chargePoints(o: {
  name: LimitName;
  key: string;
  points: number;
}): Promise<LimitState | null> {
  return ask(o.name, async (limiter) => {
    const res = await limiter.penalty(o.key, o.points);
    const debtMs = ((res.consumedPoints - limiter.points) / limiter.points) * limiter.msDuration;
    // What was read at once beyond the limit is waited for as long as it would have taken.
    return debtMs > 0 ? limiter.block(o.key, Math.ceil(debtMs / 1000)) : res;
  });
}

async function ask(
  name: LimitName,
  question: (limiter: RateLimiterStoreAbstract) => Promise<RateLimiterRes>,
): Promise<LimitState | null> {
  const limiter = limiterOf(name);
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<null>((resolve) => {
    timer = setTimeout(() => resolve(null), PATIENCE_MS);
  });
  try {
    const res = await Promise.race([question(limiter), late]);
    if (res === null) complain(new Error('no answer in time'));
    return res && stateOf(res, limiter);
  } catch (error) {
    if (error instanceof RateLimiterRes) return stateOf(error, limiter);
    complain(error);
    return null;
  } finally {
    clearTimeout(timer);
  }
}

function stateOf(res: RateLimiterRes, limiter: RateLimiterStoreAbstract): LimitState {
  return {
    isOver: res.consumedPoints > limiter.points,
    most: limiter.points,
    left: Math.max(0, res.remainingPoints),
    resetMs: Math.max(0, res.msBeforeNext),
  };
}

function limiterOf(name: LimitName): RateLimiterStoreAbstract {
  const known = limiters.get(name);
  if (known) return known;
  const { limits, redisUrl } = env();
  const points = limits?.[name] ?? 0;
  const options = { keyPrefix: name, points, duration: LIMITS[name].seconds ?? 86_400 };
  const made =
    redisUrl === null
      ? new RateLimiterPostgres({
          ...options,
          storeClient: connectPostgres(),
          storeType: 'pool',
          tableName: 'rate_limits',
          tableCreated: true,
        })
      : new RateLimiterRedis({ ...options, storeClient: connectRedis(redisUrl) });
  limiters.set(name, made);
  return made;
}

function connectPostgres(): Pool {
  if (pool) return pool;
  pool = new Pool({
    connectionString: env().databaseUrl,
    max: CONNECTIONS,
    connectionTimeoutMillis: PATIENCE_MS,
    statement_timeout: PATIENCE_MS,
    query_timeout: PATIENCE_MS,
    ...KEEP_CONNECTED,
  });
  pool.on('error', complain);
  return pool;
}

function connectRedis(url: string): Redis {
  if (redis) return redis;
  redis = new Redis(url, {
    enableOfflineQueue: false,
    maxRetriesPerRequest: 1,
    connectTimeout: PATIENCE_MS,
    commandTimeout: PATIENCE_MS,
  });
  redis.on('error', complain);
  return redis;
}

function complain(error: unknown): void {
  if (performance.now() - complainedAt < COMPLAIN_EVERY_MS) return;
  complainedAt = performance.now();
  log().error({ event: 'limit_store_down', err: error });
}
