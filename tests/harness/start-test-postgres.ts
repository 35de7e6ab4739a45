import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '@/devnet/free-port';
import { ensureDatabase, startPostgres } from '@/devnet/postgres/start-postgres';
import { migrate, MIGRATIONS } from '@/prisma/migrate';
import { ensureGenerated } from '@/scripts/ensure-generated';
import { TEMPLATE, TEST_POSTGRES } from './test-postgres';

/**
 * Generates the database client, and starts one PostgreSQL for all tests of a run, in a new folder,
 * with a migrated database to copy from. Processes that start afterwards find it. Nothing that this
 * file imports may need the client: a fresh clone has none yet. Returns the function that ends it.
 */
export async function startTestPostgres(): Promise<() => Promise<void>> {
  ensureGenerated();
  const dir = mkdtempSync(join(tmpdir(), 'quittance-test-'));
  chmodSync(dir, 0o755);
  const postgres = await startPostgres({
    dataDir: join(dir, 'postgres'),
    port: await freePort(),
    durable: false,
    // Each of three workers may run a service, and more processes of its app.
    connections: 600,
  });
  await ensureDatabase(postgres, TEMPLATE);
  await migrate({ databaseUrl: postgres.url(TEMPLATE), dir: MIGRATIONS });
  process.env[TEST_POSTGRES] = postgres.url('postgres');
  return async () => {
    await postgres.close();
    rmSync(dir, { recursive: true, force: true });
  };
}
