import { PrismaPg } from '@prisma/adapter-pg';
import { Pool, type PoolConfig } from 'pg';
import { PrismaClient } from '@/generated/prisma/client';
import { env } from '@/server/env';
import { log } from '@/server/log';
import { countPool } from './pool-state';
import { nameStatements } from './statement-names';

/** The database, or an open transaction of it: verbs that write take this. */
export type Db = Omit<
  PrismaClient,
  '$connect' | '$disconnect' | '$on' | '$use' | '$extends' | '$transaction'
>;

/**
 * How connections are kept by every pool of this process: opening one costs PostgreSQL as much as a hundred
 * small queries, and each minute's jobs would open all of them at once. One that was cut is replaced when
 * it is next asked for, and each is replaced after half an hour, so that a database that moved is found again; a
 * process with nothing else to do ends.
 */
export const KEEP_CONNECTED = {
  idleTimeoutMillis: 600_000,
  maxLifetimeSeconds: 1_800,
  keepAlive: true,
  // Then a probe each second: a connection whose other end is gone is noticed within half a minute.
  keepAliveInitialDelayMillis: 15_000,
  allowExitOnIdle: true,
} as const;

/** Longest that a request waits for a free connection: a crowd is served late, not sent away. */
const PATIENCE_MS = 10_000;
/** Longest that a transaction may take. */
const TRANSACTION_MS = 15_000;
/** Longest that PostgreSQL works on a statement. */
const STATEMENT_MS = 30_000;
/** Longest that its answer is waited for: after that the connection swallows what is sent, and is given up. */
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
  // A pooler that hands connections out by the transaction may not know the names on the next one.
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
 * Bounds the statements of each new connection. Said in a statement and not at the start of the connection, where
 * PgBouncer refuses what it does not know. Behind a pooler nothing is set: it would stay on a server connection that
 * others get next, so that three seconds for a count would end another's migration. There the wait for the answer
 * alone is bounded. A pooler is told by the process number that it makes up for its clients.
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

/** Whether the URL says, as Prisma's own does, that a pooler stands between (`pgbouncer=true`). */
function isBehindPooler(databaseUrl: string): boolean {
  return new URL(databaseUrl).searchParams.get('pgbouncer') === 'true';
}
