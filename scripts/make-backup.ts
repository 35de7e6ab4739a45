import { spawn, spawnSync } from 'node:child_process';
import { closeSync, fsyncSync, mkdirSync, openSync, renameSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { Client } from 'pg';
import { childEnv } from './environment';

/** A failed backup, in one line that says what to do. */
export class BackupRefused extends Error {}

/** A dump without these tables is not a backup of the service. */
const MUST_HOLD = ['receipts', 'mints', 'payments', 'stored_items', 'statements', 'audit_log'];

/**
 * Dumps the database with `pg_dump` in its custom format: one consistent snapshot, also during
 * writes. Writes into a folder, under a name with the database's time, and reads the finished file
 * back. Without a folder, writes to standard output. Returns the file, or null. Throws {@link
 * BackupRefused} and then leaves no file.
 */
export async function makeBackup(o: {
  databaseUrl: string;
  to: string | null;
}): Promise<{ file: string; bytes: number } | null> {
  const server = await askServer(o.databaseUrl);
  requireProgram('pg_dump', server.major);
  const connection = connectionOf(o.databaseUrl);
  if (o.to === null) {
    await dump(connection, process.stdout.fd);
    return null;
  }
  requireProgram('pg_restore', server.major);
  mkdirSync(o.to, { recursive: true, mode: 0o700 });
  const stamp = server.now.toISOString().replaceAll(/[-:]|\.\d+/g, '');
  const file = join(o.to, `quittance-${stamp}.dump`);
  const part = `${file}.part`;
  try {
    // Customers' names and amounts, so only the owner may read it. An existing file is never
    // overwritten.
    const out = openSync(part, 'wx', 0o600);
    try {
      await dump(connection, out);
      fsyncSync(out);
    } finally {
      closeSync(out);
    }
    readBack(part);
    renameSync(part, file);
  } catch (error) {
    rmSync(part, { force: true });
    throw error;
  }
  return { file, bytes: statSync(file).size };
}

async function askServer(connectionString: string): Promise<{ major: number; now: Date }> {
  const client = new Client({ connectionString, connectionTimeoutMillis: 10_000 });
  try {
    await client.connect();
    const { rows } = await client.query<{ version: string; now: Date }>(
      `select current_setting('server_version_num') as version, clock_timestamp() as now`,
    );
    const [row] = rows;
    if (!row) throw new BackupRefused('the database returned neither its version nor its time');
    return { major: Math.floor(Number(row.version) / 10_000), now: row.now };
  } catch (error) {
    if (error instanceof BackupRefused) throw error;
    const why = error instanceof Error ? error.message : String(error);
    throw new BackupRefused(`the database cannot be reached: ${why}`);
  } finally {
    await client.end();
  }
}

/**
 * A program older than the server refuses to dump it, but only after some seconds and with a less
 * clear text.
 */
function requireProgram(name: string, serverMajor: number): void {
  const { stdout } = spawnSync(name, ['--version'], { encoding: 'utf8', env: childEnv({}) });
  const major = Number(/\(PostgreSQL\) (\d+)/.exec(stdout ?? '')?.[1] ?? 0);
  const want = `PostgreSQL's client programs of version ${serverMajor} or newer (Debian: postgresql-client)`;
  if (major === 0) throw new BackupRefused(`${name} is not installed: install ${want}`);
  if (major < serverMajor)
    throw new BackupRefused(
      `${name} is of version ${major}, the server of ${serverMajor}: install ${want}`,
    );
}

/**
 * Environment variables with the database's address, so that no password is in the list of
 * processes.
 */
export function connectionOf(databaseUrl: string): Record<string, string> {
  const url = new URL(databaseUrl);
  const given = {
    PGHOST: url.searchParams.get('host') ?? url.hostname.replace(/^\[(.*)\]$/, '$1'),
    PGPORT: url.port === '' ? '5432' : url.port,
    PGUSER: decodeURIComponent(url.username),
    PGPASSWORD: decodeURIComponent(url.password),
    PGDATABASE: decodeURIComponent(url.pathname.slice(1)),
    PGSSLMODE: url.searchParams.get('sslmode') ?? '',
    PGSSLROOTCERT: url.searchParams.get('sslrootcert') ?? '',
  };
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== ''));
}

async function dump(connection: Record<string, string>, out: number): Promise<void> {
  const words = ['--format=custom', '--no-owner', '--no-privileges', '--lock-wait-timeout=60s'];
  const child = spawn('pg_dump', words, {
    env: childEnv(connection),
    stdio: ['ignore', out, 'pipe'],
  });
  const ended = new Promise<number>((resolve) =>
    child.once('close', (code) => resolve(code ?? -1)),
  );
  const said = child.stderr ? (await text(child.stderr)).trim() : '';
  const code = await ended;
  if (code !== 0) throw new BackupRefused(`pg_dump ended with code ${code}: ${said}`);
}

/** Whether `pg_restore` reads the file and finds the tables of a backup in it. */
function readBack(file: string): void {
  const { status, stdout, stderr } = spawnSync('pg_restore', ['--list', file], {
    encoding: 'utf8',
    env: childEnv({}),
  });
  if (status !== 0) throw new BackupRefused(`pg_restore cannot read the dump: ${stderr.trim()}`);
  const missing = MUST_HOLD.filter((table) => !stdout.includes(` TABLE DATA public ${table} `));
  if (missing.length > 0)
    throw new BackupRefused(
      `this is not a database of the service: it lacks ${missing.join(', ')}`,
    );
}
