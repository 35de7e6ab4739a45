import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { freePort } from '@/devnet/free-port';
import { ensureDatabase, startPostgres } from '@/devnet/postgres/start-postgres';
import { migrate } from '@/prisma/migrate';
import { TEMPLATE } from './create-test-database';

declare module 'vitest' {
  interface ProvidedContext {
    postgresUrl: string;
  }
}

/** One PostgreSQL per run, in a folder of its own, with a migrated database to copy from. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
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
  return async () => {
    await postgres.close();
    rmSync(dir, { recursive: true, force: true });
  };
}
