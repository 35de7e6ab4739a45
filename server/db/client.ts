import { createHash } from 'node:crypto';
import { PrismaPg } from '@prisma/adapter-pg';
import { Pool, type PoolConfig } from 'pg';
import { Prisma, PrismaClient } from '@/generated/prisma/client';
import { env } from '@/server/env';
import { log } from '@/server/log';
import { processWide } from '@/server/process-wide';

/** How the connections of one pool are used. Pools of the same name are added up. */
export type PoolState = {
  name: string;
  /** Connections that it may open. */
  size: number;
  open: number;
  idle: number;
  /** Connections in use. */
  lent: number;
  /** Callers that wait for a connection. */
  waiting: number;
  /** Seconds since an exhausted pool last got a connection back; 0 while it has any left. */
  stuckS: number;
};

type Watched = { name: string; pool: Pool; lent: number; movedAtMs: number };

/** Each bundle of the server may hold a copy of this module with its own pool. All pools are in one list. */
const watchedPools = processWide('pools', (): Watched[] => []);

/** Includes a pool in {@link poolStates} for as long as the process lives. */
export function countPool(name: string, pool: Pool): void {
  const watched = { name, pool, lent: 0, movedAtMs: performance.now() };
  const move = (by: number) => (): void => {
    watched.lent += by;
    watched.movedAtMs = performance.now();
  };
  pool.on('acquire', move(1));
  pool.on('release', move(-1));
  watchedPools().push(watched);
}

/** The state of every watched pool now, one for each name. */
export function poolStates(): PoolState[] {
  const states = new Map<string, PoolState>();
  for (const watched of watchedPools()) {
    const one = stateOf(watched);
    const sum = states.get(one.name);
    states.set(one.name, sum ? add(sum, one) : one);
  }
  return [...states.values()];
}

function stateOf({ name, pool, lent, movedAtMs }: Watched): PoolState {
  const size = pool.options.max ?? 10;
  const { totalCount: open, idleCount: idle, waitingCount: waiting } = pool;
  // Neither a queue nor open connections show it. Callers stop waiting, and without a database the
  // pool only tries to connect, like a new process would.
  const isExhausted = lent >= size;
  const stuckS = isExhausted ? (performance.now() - movedAtMs) / 1000 : 0;
  return { name, size, open, idle, lent, waiting, stuckS };
}

function add(one: PoolState, other: PoolState): PoolState {
  return {
    name: one.name,
    size: one.size + other.size,
    open: one.open + other.open,
    idle: one.idle + other.idle,
    lent: one.lent + other.lent,
    waiting: one.waiting + other.waiting,
    stuckS: Math.max(one.stuckS, other.stuckS),
  };
}

/** The database, or an open transaction of it. Every writer takes this. */
export type Db = Omit<
  PrismaClient,
  '$connect' | '$disconnect' | '$on' | '$use' | '$extends' | '$transaction'
>;

/**
 * Connection settings of every pool of this process. Opening a connection costs PostgreSQL as much
 * as a hundred small queries, and each minute's jobs would open all of them at once. A broken
 * connection is replaced when it is next needed. Each is replaced after half an hour, so that a
 * database that moved is found again. A process with nothing else to do ends.
 */
export const KEEP_CONNECTED = {
  idleTimeoutMillis: 600_000,
  maxLifetimeSeconds: 1_800,
  keepAlive: true,
  // Then a probe each second, so that a dead connection is noticed within half a minute.
  keepAliveInitialDelayMillis: 15_000,
  allowExitOnIdle: true,
} as const;

/** Connections in addition to DATABASE_POOL, for the counts of limits. */
export const LIMITS_POOL = 4;

/** Next.js loads modules separately for pages, for paths and for start-up code. Each load opens its own pools. */
const LOADS = 3;
/** Of these, pages and paths count limits. */
const COUNTING_LOADS = 2;

/** The most connections that a process opens to PostgreSQL. */
export const mostConnections = (databasePool: number): number =>
  LOADS * databasePool + COUNTING_LOADS * LIMITS_POOL;

/** Longest wait of a request for a free connection. Under load, requests are served late and not refused. */
const PATIENCE_MS = 10_000;
/** Longest time of a transaction. */
const TRANSACTION_MS = 15_000;
/** Longest time that PostgreSQL works on a statement. */
const STATEMENT_MS = 30_000;
/** Longest wait for its answer. After that the connection counts as dead and is dropped. */
const ANSWER_MS = STATEMENT_MS + 2_000;

let client: PrismaClient | undefined;

/** The process's one Prisma client over a bounded pool. */
export function db(): PrismaClient {
  client ??= openClient({ databaseUrl: env().databaseUrl, max: env().databasePool });
  return client;
}

/** A Prisma client over a pool of its own, which /metrics and /health/live watch. */
export function openClient(o: {
  databaseUrl: string;
  max: number;
  answerMs?: number;
}): PrismaClient {
  const pool = openPool({ databaseUrl: o.databaseUrl, max: o.max, answerMs: o.answerMs });
  countPool('main', pool);
  // A pooler in transaction mode may not know these names on the next connection.
  const options = isBehindPooler(o.databaseUrl) ? {} : { statementNameGenerator: nameStatements() };
  return new PrismaClient({
    adapter: new PrismaPg(pool, { ...options, disposeExternalPool: true }),
    transactionOptions: { maxWait: PATIENCE_MS, timeout: TRANSACTION_MS },
  });
}

function openPool(o: { databaseUrl: string; max: number; answerMs?: number | undefined }): Pool {
  const pool = new Pool({
    connectionString: o.databaseUrl,
    max: o.max,
    connectionTimeoutMillis: PATIENCE_MS,
    query_timeout: o.answerMs ?? ANSWER_MS,
    onConnect: boundStatements(STATEMENT_MS),
    ...KEEP_CONNECTED,
  });
  pool.on('error', (error) => log().warn({ event: 'database_connection_lost', err: error }));
  return pool;
}

/**
 * Sets the time limit of statements for each new connection. It is a statement and not a start
 * parameter, because PgBouncer refuses unknown parameters.
 *
 * With a pooler nothing is set. The limit would stay on a server connection that others get next,
 * so that three seconds for a count would end another's migration. Then only the wait for the
 * answer is limited. A pooler is recognised by the process number that it makes up for its clients.
 */
export function boundStatements(mostMs: number): NonNullable<PoolConfig['onConnect']> {
  return async (connection) => {
    const processId = Number(Reflect.get(connection, 'processID') ?? 0);
    await connection.query(
      `select set_config('statement_timeout', $1, false) where pg_backend_pid() = $2`,
      [String(mostMs), processId],
    );
  };
}

/** Whether the URL says, in Prisma's own way, that a pooler is in between (`pgbouncer=true`). */
function isBehindPooler(databaseUrl: string): boolean {
  return new URL(databaseUrl).searchParams.get('pgbouncer') === 'true';
}

/** Most statements that a process names. Each connection keeps the plan of every one. */
const MOST_NAMES = 250;
/** A statement gets a name after this many uses, because many are built for one request and never come again. */
const NAMED_FROM = 5;
/** How a search is best answered depends on the words: these are planned each time. */
const PLANNED_EACH_TIME = 'words_query';
/** Most statements whose uses are counted. */
const MOST_COUNTED = 2_000;

/**
 * Names for statements that repeat, so that PostgreSQL parses and plans each of them once a
 * connection. All others have the empty name, which keeps nothing.
 */
export function nameStatements(): (query: { sql: string }) => string {
  const names = new Map<string, string>();
  const seen = new Map<string, number>();
  return ({ sql }) => {
    const known = names.get(sql);
    if (known !== undefined) return known;
    const times = (seen.get(sql) ?? 0) + 1;
    const isNamed =
      times >= NAMED_FROM && names.size < MOST_NAMES && !sql.includes(PLANNED_EACH_TIME);
    if (!isNamed) {
      if (seen.size >= MOST_COUNTED) seen.clear();
      seen.set(sql, times);
      return '';
    }
    seen.delete(sql);
    const name = createHash('sha256').update(sql).digest('base64url').slice(0, 22);
    names.set(sql, name);
    return name;
  };
}

/** Prisma's code for a unique violation of PostgreSQL. */
const NOT_UNIQUE = 'P2002';

/** Whether a write was refused because a row with its unique values exists. */
export function isNotUnique(error: unknown): boolean {
  return error instanceof Prisma.PrismaClientKnownRequestError && error.code === NOT_UNIQUE;
}
