import { once } from 'node:events';
import { Redis } from 'ioredis';
import { Pool } from 'pg';
import { RateLimiterRedis, RateLimiterRes } from 'rate-limiter-flexible';
import { z } from 'zod';
import { boundStatements, countPool, KEEP_CONNECTED, LIMITS_POOL } from '@/server/db/client';
import { env } from './env';
import { type LimitName, LIMITS } from './limits';
import { log } from './log';
import { trusted } from './trusted';

/** Where a key stands after it took points. */
export type LimitState = {
  isOver: boolean;
  most: number;
  left: number;
  /** Until the next window begins. */
  resetMs: number;
};

/** Longest a request waits for the counts; then the store counts as down. */
const PATIENCE_MS = 3_000;
const COMPLAIN_EVERY_MS = 10_000;

/** How often counts of windows long over are deleted. */
const FORGET_EVERY_MS = 300_000;

/** The counts of one limit. Their windows end by the clock of the store, never by that of a process. */
type Limiter = {
  points: number;
  windowMs: number;
  take(key: string, points: number): Promise<Count>;
  /** Keeps a key above its limit for a time from now. */
  block(key: string, seconds: number): Promise<Count>;
};

let pool: Pool | undefined;
/**
 * The server's bundles may each hold a copy of this module. The connection from the start is for
 * all of them.
 */
const REDIS = Symbol.for('quittance.limits.redis');
const limiters = new Map<LimitName, Limiter>();
let complainedAt = -Infinity;

/**
 * Takes points of a limit that all processes share. Null when the store does not answer in time; points
 * beyond the limit count as well, so that a client that keeps asking keeps waiting.
 */
export function takePoints(o: {
  name: LimitName;
  key: string;
  points: number;
}): Promise<LimitState | null> {
  return ask(o.name, async (limiter) => limiter.take(o.key, o.points));
}

/** Takes points that were spent already: the key may fall below zero. */
export function chargePoints(o: {
  name: LimitName;
  key: string;
  points: number;
}): Promise<LimitState | null> {
  return ask(o.name, async (limiter) => {
    const res = await limiter.take(o.key, o.points);
    const debtMs = ((res.consumedPoints - limiter.points) / limiter.points) * limiter.windowMs;
    // A client that reads beyond the limit at once waits for as long as the excess would have
    // taken.
    return debtMs > 0 ? limiter.block(o.key, Math.ceil(debtMs / 1000)) : res;
  });
}

async function ask(
  name: LimitName,
  question: (limiter: Limiter) => Promise<Count>,
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
    complain(error);
    return null;
  } finally {
    clearTimeout(timer);
  }
}

function stateOf(count: Count, limiter: Limiter): LimitState {
  return {
    isOver: count.consumedPoints > limiter.points,
    most: limiter.points,
    left: Math.max(0, limiter.points - count.consumedPoints),
    resetMs: Math.max(0, count.msBeforeNext),
  };
}

function limiterOf(name: LimitName): Limiter {
  const known = limiters.get(name);
  if (known) return known;
  const { limits, redisUrl } = env();
  const points = limits?.[name] ?? 0;
  const seconds = LIMITS[name].seconds ?? 86_400;
  const shared = { name, points, seconds };
  const made = redisUrl === null ? overPostgres(shared) : overRedis({ ...shared, url: redisUrl });
  limiters.set(name, made);
  return made;
}

function overPostgres(o: { name: LimitName; points: number; seconds: number }): Limiter {
  const store = connectPostgres();
  const windowMs = o.seconds * 1000;
  const keyOf = (key: string) => `${o.name}:${key}`;
  return {
    points: o.points,
    windowMs,
    take: (key, points) => takeInPostgres(store, { key: keyOf(key), points, windowMs }),
    block: (key, seconds) =>
      holdInPostgres(store, { key: keyOf(key), points: o.points + 1, forMs: seconds * 1000 }),
  };
}

/** Redis counts the time to the end of a key itself. */
function overRedis(o: { name: LimitName; points: number; seconds: number; url: string }): Limiter {
  const limiter = new RateLimiterRedis({
    keyPrefix: o.name,
    points: o.points,
    duration: o.seconds,
    storeClient: connectRedis(o.url),
  });
  return {
    points: o.points,
    windowMs: o.seconds * 1000,
    take: (key, points) =>
      limiter.consume(key, points).catch((refused: unknown) => {
        if (refused instanceof RateLimiterRes) return refused;
        throw refused;
      }),
    block: (key, seconds) => limiter.block(key, seconds),
  };
}

function connectPostgres(): Pool {
  if (pool) return pool;
  pool = new Pool({
    connectionString: env().databaseUrl,
    max: LIMITS_POOL,
    connectionTimeoutMillis: PATIENCE_MS,
    onConnect: boundStatements(PATIENCE_MS),
    query_timeout: PATIENCE_MS,
    ...KEEP_CONNECTED,
  });
  pool.on('error', complain);
  countPool('limits', pool);
  const opened = pool;
  setInterval(() => void forgetOldCounts(opened).catch(complain), FORGET_EVERY_MS).unref();
  return pool;
}

function connectRedis(url: string): Redis {
  const known: unknown = Reflect.get(globalThis, REDIS);
  const kept = trusted<{ url: string; redis: Redis } | undefined>(
    known,
    'only this function writes',
  );
  if (kept?.url === url) return kept.redis;
  const redis = new Redis(url, {
    enableOfflineQueue: false,
    maxRetriesPerRequest: 1,
    connectTimeout: PATIENCE_MS,
    commandTimeout: PATIENCE_MS,
  });
  redis.on('error', complain);
  Reflect.set(globalThis, REDIS, { url, redis });
  return redis;
}

/**
 * Connects to the store of the counts before the first request, which would find it away otherwise. Returns after
 * three seconds in any case: reads continue without it, and /health reports it.
 */
export async function openLimitStore(): Promise<void> {
  const { limits, redisUrl } = env();
  if (limits === null || redisUrl === null) return;
  const store = connectRedis(redisUrl);
  if (store.status === 'ready') return;
  await once(store, 'ready', { signal: AbortSignal.timeout(PATIENCE_MS) }).catch(() => undefined);
}

/** Whether the counts can be kept now. They are never written here. */
export async function limitStoreState(): Promise<{ ok: boolean; detail: string }> {
  const { limits, redisUrl } = env();
  if (limits === null) return { ok: true, detail: 'off' };
  const store = redisUrl === null ? 'the database' : 'Redis';
  try {
    await (redisUrl === null ? connectPostgres().query('select 1') : connectRedis(redisUrl).ping());
    return { ok: true, detail: `${store} answers` };
  } catch {
    return { ok: false, detail: `${store} does not answer` };
  }
}

function complain(error: unknown): void {
  if (performance.now() - complainedAt < COMPLAIN_EVERY_MS) return;
  complainedAt = performance.now();
  log().error({ event: 'limit_store_down', err: error });
}

/** State of a key in its window. */
export type Count = { consumedPoints: number; msBeforeNext: number };

const answer = z.array(z.object({ points: z.number(), left_ms: z.coerce.number() })).min(1);

/** Milliseconds since 1970 by the database's clock, which all processes share: a window ends for all at once. */
const NOW_MS = '(extract(epoch from clock_timestamp()) * 1000)::bigint';
/** Counts this long after their window are deleted. */
const FORGOTTEN_AFTER_MS = 3_600_000;

/** Takes points of a key. A window that is over starts again. */
export async function takeInPostgres(
  pool: Pool,
  o: { key: string; points: number; windowMs: number },
): Promise<Count> {
  return count(
    pool,
    `insert into rate_limits as kept (key, points, expire) values ($1, $2, ${NOW_MS} + $3)
     on conflict (key) do update set
       points = case when kept.expire <= ${NOW_MS} then excluded.points else kept.points + excluded.points end,
       expire = case when kept.expire <= ${NOW_MS} then excluded.expire else kept.expire end
     returning points, greatest(expire - ${NOW_MS}, 0) as left_ms`,
    [o.key, o.points, o.windowMs],
  );
}

/** Sets the points of a key for a time from now, whatever its window was. */
export async function holdInPostgres(
  pool: Pool,
  o: { key: string; points: number; forMs: number },
): Promise<Count> {
  return count(
    pool,
    `insert into rate_limits (key, points, expire) values ($1, $2, ${NOW_MS} + $3)
     on conflict (key) do update set points = excluded.points, expire = excluded.expire
     returning points, greatest(expire - ${NOW_MS}, 0) as left_ms`,
    [o.key, o.points, o.forMs],
  );
}

/** Deletes counts whose window is long over. */
export async function forgetOldCounts(pool: Pool): Promise<void> {
  await pool.query(`delete from rate_limits where expire < ${NOW_MS} - $1`, [FORGOTTEN_AFTER_MS]);
}

async function count(pool: Pool, text: string, values: unknown[]): Promise<Count> {
  const [row] = answer.parse((await pool.query({ name: nameOf(text), text, values })).rows);
  if (!row) throw new Error('a count came back empty');
  return { consumedPoints: row.points, msBeforeNext: row.left_ms };
}

/** The server then plans each of the two statements once a connection. */
const nameOf = (text: string): string =>
  text.includes(' as kept ') ? 'take_points' : 'hold_points';
