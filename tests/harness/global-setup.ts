import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { freePort } from '@/devnet/free-port';
import { ensureDatabase, startPostgres } from '@/devnet/postgres/start-postgres';
import { migrate } from '@/prisma/migrate';
import { ensureGenerated } from '@/scripts/ensure-generated';

declare module 'vitest' {
  interface ProvidedContext {
    postgresUrl: string;
    templateDatabase: string;
  }
}

/** Migrated here; nothing connects to it afterwards, so it can be copied. */
const TEMPLATE = 'quittance_template';

/**
 * The database client, and one PostgreSQL for all projects of a run in a folder of its own, with a migrated
 * database to copy from. Nothing that this file imports may need the client: a fresh clone has none yet.
 */
export default async function setup(
  project: TestProject,
): Promise<(() => Promise<void>) | undefined> {
  // Each project inherits this file, and what the root provides.
  if (!project.isRootProject()) return undefined;
  ensureGenerated();
  const dir = mkdtempSync(join(tmpdir(), 'quittance-test-'));
  chmodSync(dir, 0o755);
  const postgres = await startPostgres({
    dataDir: join(dir, 'postgres'),
    port: await freePort(),
    durable: false,
  });
  await ensureDatabase(postgres, TEMPLATE);
  await migrate({ databaseUrl: postgres.url(TEMPLATE), dir: 'prisma/migrations' });
  project.provide('postgresUrl', postgres.url('postgres'));
  project.provide('templateDatabase', TEMPLATE);
  return async () => {
    await postgres.close();
    rmSync(dir, { recursive: true, force: true });
  };
}
