import { migrate, MIGRATIONS } from '@/prisma/migrate';
import { given, isLocal, loadDotEnv } from './environment';

/**
 * `npm run migrate`: the database of DATABASE_URL, else the embedded one, which is started if
 * needed.
 */
async function main(): Promise<void> {
  loadDotEnv();
  const databaseUrl = given('DATABASE_URL');
  if (databaseUrl !== null) return report(databaseUrl);
  if (!isLocal()) throw new Error(`DATABASE_URL must be set on ${given('NETWORK') ?? ''}`);
  const { withEmbeddedDatabase } = await import('./embedded-database');
  await withEmbeddedDatabase(report);
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
