import { DATABASE_NAME, settings } from '@/devnet/settings';
import { findRunning } from '@/devnet/postgres/find-running';
import { ensureDatabase, startPostgres } from '@/devnet/postgres/start-postgres';

/** Runs `work` on the embedded database, and starts it first if it does not run. */
export async function withEmbeddedDatabase(
  work: (databaseUrl: string) => Promise<void>,
): Promise<void> {
  const { postgres } = settings();
  const wasRunning = findRunning(postgres.dataDir) !== null;
  const server = await startPostgres(postgres);
  try {
    await ensureDatabase(server, DATABASE_NAME);
    await work(server.url(DATABASE_NAME));
  } finally {
    if (!wasRunning) await server.close();
  }
}
