import { createHash, randomUUID } from 'node:crypto';
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { Client } from 'pg';

/** Advisory lock that `prisma migrate` takes, so that neither tool runs beside the other. */
const LOCK_KEY = 72707369;
const LOCK_TIMEOUT_MS = 60_000;

/** The table as `prisma migrate deploy` creates it; that command can take over at any time. */
const RECORD_TABLE = `create table if not exists _prisma_migrations (
  id varchar(36) not null primary key,
  checksum varchar(64) not null,
  finished_at timestamptz,
  migration_name varchar(255) not null,
  logs text,
  rolled_back_at timestamptz,
  started_at timestamptz not null default now(),
  applied_steps_count integer not null default 0
)`;

type Migration = { name: string; sql: string; checksum: string };

/** A migration that cannot be applied; the database is as it was before that migration. */
class MigrationError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'MigrationError';
  }
}

/**
 * Brings a database up to date: applies the migrations of `dir` that it lacks in the order of their
 * names, each in one transaction that holds an advisory lock, so that starts beside each other take turns. Answers
 * the names it applied. Throws {@link MigrationError} when an applied file has changed, one is recorded as
 * unfinished, or SQL fails. Nothing of it outlives a transaction: behind a pooler the next statement may run on
 * another connection, and a lock of the session would be left behind on the first.
 */
export async function migrate(o: { databaseUrl: string; dir: string }): Promise<string[]> {
  const migrations = readMigrations(o.dir);
  return withClient(o.databaseUrl, async (client) => {
    await inTurn(client, () => client.query(RECORD_TABLE));
    const applied: string[] = [];
    for (const migration of await findPending(client, migrations))
      if (await apply(client, migration)) applied.push(migration.name);
    return applied;
  });
}

/** Names of the migrations that a database lacks, without changing it. */
export async function pendingMigrations(o: {
  databaseUrl: string;
  dir: string;
}): Promise<string[]> {
  const migrations = readMigrations(o.dir);
  const pending = await withClient(o.databaseUrl, async (client) => {
    const table = await client.query(`select to_regclass('_prisma_migrations') as name`);
    return table.rows[0]?.name === null ? migrations : findPending(client, migrations);
  });
  return pending.map((migration) => migration.name);
}

async function withClient<T>(databaseUrl: string, work: (client: Client) => Promise<T>) {
  const client = new Client({ connectionString: databaseUrl, connectionTimeoutMillis: 10_000 });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

function readMigrations(dir: string): Migration[] {
  return readdirSync(dir, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && existsSync(join(dir, entry.name, 'migration.sql')))
    .map((entry) => entry.name)
    .sort()
    .map((name) => {
      const sql = readFileSync(join(dir, name, 'migration.sql'), 'utf8');
      return { name, sql, checksum: createHash('sha256').update(sql).digest('hex') };
    });
}

async function findPending(client: Client, migrations: Migration[]): Promise<Migration[]> {
  const { rows } = await client.query<{ name: string; checksum: string; finished: boolean }>(
    `select migration_name as name, checksum, finished_at is not null as finished
       from _prisma_migrations where rolled_back_at is null`,
  );
  const recorded = new Map(rows.map((row) => [row.name, row]));
  for (const { name, checksum } of migrations) {
    const row = recorded.get(name);
    if (row && !row.finished)
      throw new MigrationError(`Migration ${name} was begun by another tool and never finished.`);
    if (row && row.checksum !== checksum)
      throw new MigrationError(
        `Migration ${name} was changed after it was applied. Restore the file and write a new migration.`,
      );
  }
  return migrations.filter((migration) => !recorded.has(migration.name));
}

/** False when another start applied it meanwhile. */
async function apply(client: Client, migration: Migration): Promise<boolean> {
  try {
    return await inTurn(client, async () => {
      const isPending = (await findPending(client, [migration])).length > 0;
      if (isPending) await run(client, migration);
      return isPending;
    });
  } catch (cause) {
    if (cause instanceof MigrationError) throw cause;
    const why = cause instanceof Error ? cause.message : String(cause);
    throw new MigrationError(`Migration ${migration.name} failed and was undone: ${why}`, {
      cause,
    });
  }
}

async function run(client: Client, migration: Migration): Promise<void> {
  const id = randomUUID();
  await client.query(
    `insert into _prisma_migrations (id, checksum, migration_name, started_at)
     values ($1, $2, $3, clock_timestamp())`,
    [id, migration.checksum, migration.name],
  );
  await client.query(migration.sql);
  await client.query(
    `update _prisma_migrations set finished_at = clock_timestamp(), applied_steps_count = 1
     where id = $1`,
    [id],
  );
}

/** Works in one transaction, alone among all who migrate this database. */
async function inTurn<T>(client: Client, work: () => Promise<T>): Promise<T> {
  await client.query('begin');
  try {
    // A role may bound its statements, as OPERATION.md advises behind a pooler: an index on a big table takes longer.
    await client.query('set local statement_timeout = 0');
    await client.query(`set local lock_timeout = ${LOCK_TIMEOUT_MS}`);
    await client.query('select pg_advisory_xact_lock($1)', [LOCK_KEY]);
    const result = await work();
    await client.query('commit');
    return result;
  } catch (error) {
    await client.query('rollback');
    throw error;
  }
}
