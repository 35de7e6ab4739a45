import { PrismaPg } from '@prisma/adapter-pg';
import { Pool } from 'pg';
import { PrismaClient } from '@/generated/prisma/client';
import { env } from '@/server/env';
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
 * it is next asked for; a process with nothing else to do ends.
 */
export const KEEP_CONNECTED = {
  idleTimeoutMillis: 600_000,
  keepAlive: true,
  allowExitOnIdle: true,
} as const;

/** Longest that a request waits for a free connection: a crowd is served late, not sent away. */
const PATIENCE_MS = 10_000;
/** Longest that a transaction may take. */
const TRANSACTION_MS = 15_000;

let client: PrismaClient | undefined;

/** The process's one Prisma client over a bounded pool. */
export function db(): PrismaClient {
  client ??= new PrismaClient({
    adapter: new PrismaPg(openPool(), {
      statementNameGenerator: nameStatements(),
      disposeExternalPool: true,
    }),
    transactionOptions: { maxWait: PATIENCE_MS, timeout: TRANSACTION_MS },
  });
  return client;
}

function openPool(): Pool {
  const pool = new Pool({
    connectionString: env().databaseUrl,
    max: env().databasePool,
    connectionTimeoutMillis: PATIENCE_MS,
    statement_timeout: 30_000,
    ...KEEP_CONNECTED,
  });
  countPool('main', pool);
  return pool;
}
