import { PrismaPg } from '@prisma/adapter-pg';
import { PrismaClient } from '@/generated/prisma/client';
import { env } from '@/server/env';
import { nameStatements } from './statement-names';

/** The database, or an open transaction of it: verbs that write take this. */
export type Db = Omit<
  PrismaClient,
  '$connect' | '$disconnect' | '$on' | '$use' | '$extends' | '$transaction'
>;

let client: PrismaClient | undefined;

/** The process's one Prisma client over a bounded pool. */
export function db(): PrismaClient {
  client ??= new PrismaClient({
    adapter: new PrismaPg(
      {
        connectionString: env().databaseUrl,
        max: env().databasePool,
        connectionTimeoutMillis: 10_000,
        statement_timeout: 30_000,
      },
      { statementNameGenerator: nameStatements() },
    ),
  });
  return client;
}
