import { createHash, randomUUID } from 'node:crypto';
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client, DatabaseError } from 'pg';
import { alteredTables } from './check-migration';
import { inTurn } from './migration-lock';
import { splitConcurrent } from './split-concurrent';

/** The folder of the migrations, from the root of the repository. */
export const MIGRATIONS = 'prisma/migrations';

/**
 * Longest wait for one table that other sessions hold. It is shorter than PostgreSQL's
 * `deadlock_timeout` (1 s unless set). So a migration gives way, and PostgreSQL does not end a
 * transaction of the previous release instead.
 */
const LOCK_TIMEOUT_MS = 600;
/** How long a migration that gave way is retried. */
const PATIENCE_MS = 60_000;
const PAUSE_MS = 200;
/** deadlock_detected and lock_not_available: nothing was done, and a repeat may succeed. */
const GAVE_WAY = new Set(['40P01', '55P03']);

/** The table as `prisma migrate deploy` creates it. The command can take over at any time. */
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

/** A migration that cannot be applied. The database is in its state before that migration. */
class MigrationError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'MigrationError';
  }
}

/**
 * Brings a database up to date: applies the missing migrations of `dir` in the order of their
 * names, under an advisory lock. Each runs in one transaction, or without any where
 * `split-concurrent.ts` says so. A migration that meets a lock of another session gives way and is
 * retried for `patienceMs`. Returns the applied names. Throws {@link MigrationError} when an
 * applied file has changed, one is recorded as unfinished, or SQL fails.
 */
export async function migrate(o: {
  databaseUrl: string;
  dir: string;
  patienceMs?: number;
}): Promise<string[]> {
  const migrations = readMigrations(o.dir);
  const patienceMs = o.patienceMs ?? PATIENCE_MS;
  return withClient(o.databaseUrl, async (client) => {
    const applied = await withClient(o.databaseUrl, (holder) =>
      inTurn(holder, () => applyPending(client, { migrations, patienceMs })),
    );
    if (applied === null)
      throw new MigrationError(
        'Another process has been migrating this database for a minute. Let it end, or end it.',
      );
    return applied;
  });
}

async function applyPending(
  client: Client,
  { migrations, patienceMs }: { migrations: Migration[]; patienceMs: number },
): Promise<string[]> {
  await client.query(RECORD_TABLE);
  const todo = await findPending(client, migrations);
  for (const migration of todo)
    await untilUnlocked(patienceMs, migration, () => apply(client, migration));
  return todo.map((migration) => migration.name);
}

/**
 * Retries work that gave way to a lock of another session, whose transaction continues meanwhile.
 */
async function untilUnlocked(
  patienceMs: number,
  migration: Migration,
  work: () => Promise<void>,
): Promise<void> {
  const end = performance.now() + patienceMs;
  for (;;) {
    try {
      return await work();
    } catch (cause) {
      const canPass = cause instanceof DatabaseError && GAVE_WAY.has(cause.code ?? '');
      if (!canPass || performance.now() > end) throw failure(migration, cause);
    }
    await sleep(PAUSE_MS);
  }
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
  const client = new Client({
    connectionString: databaseUrl,
    connectionTimeoutMillis: 10_000,
    keepAlive: true,
  });
  // A connection that is cut when idle: the next query notices.
  client.on('error', () => undefined);
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
    if (row && !row.finished && !canResume(migrations, row.name))
      throw new MigrationError(`Migration ${name} was begun by another tool and never finished.`);
    if (row && row.checksum !== checksum)
      throw new MigrationError(
        `Migration ${name} was changed after it was applied. Restore the file and write a new migration.`,
      );
  }
  return migrations.filter((migration) => recorded.get(migration.name)?.finished !== true);
}

/** A migration without a transaction can end in the middle. Its statements may be run again. */
function canResume(migrations: Migration[], name: string): boolean {
  const found = migrations.find((migration) => migration.name === name);
  return found !== undefined && splitConcurrent(found) !== null;
}

async function apply(client: Client, migration: Migration): Promise<void> {
  const statements = splitConcurrent(migration);
  if (statements === null) return applyWhole(client, migration);
  await client.query(
    `delete from _prisma_migrations where migration_name = $1 and finished_at is null`,
    [migration.name],
  );
  const id = await begin(client, migration);
  // For the session, which a pooler would keep, so docs/operation/machines.md runs migrations
  // without one.
  await client.query('set statement_timeout = 0');
  for (const { drop, create } of statements) {
    // An index whose build was interrupted exists, but is not valid.
    await client.query(drop);
    await client.query(create);
  }
  await finish(client, id);
}

async function applyWhole(client: Client, migration: Migration): Promise<void> {
  await client.query('begin');
  try {
    // A role may limit its statements' time, as docs/operation/machines.md advises behind a pooler.
    // A change of a big table takes longer.
    await client.query('set local statement_timeout = 0');
    await client.query(`set local lock_timeout = ${LOCK_TIMEOUT_MS}`);
    await lockAltered(client, migration);
    const id = await begin(client, migration);
    await client.query(migration.sql);
    await finish(client, id);
    await client.query('commit');
  } catch (cause) {
    await client.query('rollback').catch(() => undefined);
    throw cause;
  }
}

/**
 * Locks the altered tables first. A reference to a table and then a column of it would take two
 * locks, one after the other. PostgreSQL would end a transaction of the previous release that comes
 * between them.
 */
async function lockAltered(client: Client, { sql }: Migration): Promise<void> {
  const tables = alteredTables(sql);
  if (tables.length > 0) await client.query(`lock table ${tables.join(', ')}`);
}

async function begin(client: Client, migration: Migration): Promise<string> {
  const id = randomUUID();
  await client.query(
    `insert into _prisma_migrations (id, checksum, migration_name, started_at)
     values ($1, $2, $3, clock_timestamp())`,
    [id, migration.checksum, migration.name],
  );
  return id;
}

async function finish(client: Client, id: string): Promise<void> {
  await client.query(
    `update _prisma_migrations set finished_at = clock_timestamp(), applied_steps_count = 1
     where id = $1`,
    [id],
  );
}

function failure(migration: Migration, cause: unknown): MigrationError {
  const isWhole = splitConcurrent(migration) === null;
  const how = isWhole ? 'failed and was undone' : 'failed and goes on with the next start';
  const why = cause instanceof Error ? cause.message : String(cause);
  return new MigrationError(`Migration ${migration.name} ${how}: ${why}`, { cause });
}
