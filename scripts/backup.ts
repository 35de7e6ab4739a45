import { parseArgs } from 'node:util';
import { given, loadDotEnv, pointAtEmbeddedStack } from './environment';
import { BackupRefused, makeBackup } from './make-backup';

const HELP = `npm run --silent backup [-- --to FOLDER]

  --to FOLDER   writes quittance-<time of the database>.dump there and reads it back;
                without it the dump goes to standard output

Dumps the database of DATABASE_URL with pg_dump in its custom format. It needs PostgreSQL's client programs, of the
server's version or newer, and a direct connection (no pooler). Keys are not in the dump: keep them apart from it.`;

/** `npm run backup`: a dump of the database. */
async function main(): Promise<void> {
  const { to, help } = parseArgs({
    options: { to: { type: 'string' }, help: { type: 'boolean', default: false } },
  }).values;
  if (help) return console.log(HELP);
  if (to === undefined && process.stdout.isTTY)
    throw new BackupRefused('a dump is not text for a terminal: use --to FOLDER or a pipe');
  loadDotEnv();
  await pointAtEmbeddedStack();
  const databaseUrl = given('DATABASE_URL');
  if (databaseUrl === null) throw new BackupRefused('DATABASE_URL must be set');
  const made = await makeBackup({ databaseUrl, to: to ?? null });
  if (made) console.log(`${made.file} (${made.bytes} bytes), read back`);
}

try {
  await main();
} catch (error) {
  if (!(error instanceof BackupRefused)) throw error;
  console.error(error.message);
  process.exitCode = 1;
}
