import { loadDotEnv, DATABASE_NAME, settings } from '@/devnet/settings';
import { findRunning } from '@/devnet/postgres/find-running';
import { ensureDatabase, startPostgres } from '@/devnet/postgres/start-postgres';
import { migrate } from '@/prisma/migrate';
import { MIGRATIONS } from './run-service';

/** `npm run migrate`: the database of DATABASE_URL, else the embedded one (started for this if need be). */
async function main(): Promise<void> {
  loadDotEnv();
  const { network, given, postgres } = settings();
  if (given.databaseUrl !== null) return report(given.databaseUrl);
  if (network !== 'local') throw new Error(`DATABASE_URL must be set on ${network}`);
  const wasRunning = findRunning(postgres.dataDir) !== null;
  const server = await startPostgres(postgres);
  try {
    await ensureDatabase(server, DATABASE_NAME);
    await report(server.url(DATABASE_NAME));
  } finally {
    if (!wasRunning) await server.close();
  }
}

async function report(databaseUrl: string): Promise<void> {
  const applied = await migrate({ databaseUrl, dir: MIGRATIONS });
  for (const name of applied) console.log(`migrated ${name}`);
  if (applied.length === 0) console.log('the database is up to date');
}

try {
  await main();
} catch (error) {
  console.error(error instanceof Error ? error.message : String(error));
  process.exitCode = 1;
}
