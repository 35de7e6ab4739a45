import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import {
  chownSync,
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
} from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import { EMBEDDED_CLUSTER } from '@/server/keys';
import { canReach, findBinaries } from './find-binaries';
import { findRunning, isAlive } from './find-running';
import { findUser, type OsUser } from './find-user';

/** Long enough for the recovery that follows a kill -9 under load. */
const READY_TIMEOUT_MS = 60_000;

export type Postgres = {
  /** Connection string of a database of this server. */
  url(database: string): string;
  pid: number;
  /** Stops the server (open connections are cut, nothing committed is lost). */
  close(): Promise<void>;
};

/**
 * Runs PostgreSQL on 127.0.0.1 over `dataDir`, which is made on first use. A server that still runs
 * on the same folder is reused. `durable: false` gives up safety against a crash for speed (tests).
 * `connections` is how many it accepts, 200 by default.
 */
export async function startPostgres(o: {
  dataDir: string;
  port: number;
  durable?: boolean;
  connections?: number;
}): Promise<Postgres> {
  const dataDir = resolve(o.dataDir);
  mkdirSync(dirname(dataDir), { recursive: true });
  const user = findUser(dataDir);
  if (!canReach(user, dirname(dataDir)))
    throw new Error(
      `PostgreSQL runs as user ${user?.uid ?? '?'}, who cannot reach ${dirname(dataDir)}. ` +
        'Set QUITTANCE_DATA_DIR to a folder open to other users (mode 755), such as /var/lib/quittance.',
    );
  const running = findRunning(dataDir);
  if (running?.port === o.port) {
    await waitUntilReady({ port: o.port, dataDir, pid: running.pid, child: null });
    return server(o.port, running.pid);
  }
  if (running) await stop(running.pid);
  const bin = findBinaries(user);
  if (!existsSync(dataDir)) initialise({ bin, dataDir, user });
  const { port, durable = true, connections = 200 } = o;
  const child = launch({ bin, dataDir, user, port, durable, connections });
  const pid = child.pid ?? 0;
  await waitUntilReady({ port: o.port, dataDir, pid, child });
  return server(o.port, pid);
}

/** Makes a database if the server lacks it. */
export async function ensureDatabase(postgres: Pick<Postgres, 'url'>, name: string): Promise<void> {
  const client = new Client({ connectionString: postgres.url('postgres') });
  await client.connect();
  try {
    const found = await client.query('select 1 from pg_database where datname = $1', [name]);
    if (found.rowCount === 0)
      await client.query(`create database ${client.escapeIdentifier(name)}`);
  } finally {
    await client.end();
  }
}

function server(port: number, pid: number): Postgres {
  return {
    url: (database) => `postgresql://postgres:postgres@127.0.0.1:${port}/${database}`,
    pid,
    close: () => stop(pid),
  };
}

/** Fills a folder beside the final one, so that an interrupted start leaves nothing incomplete. */
function initialise(o: { bin: string; dataDir: string; user: OsUser | null }): void {
  const part = `${o.dataDir}.part`;
  rmSync(part, { recursive: true, force: true });
  mkdirSync(part, { mode: 0o700 });
  if (o.user) chownSync(part, o.user.uid, o.user.gid);
  const flags = ['--username=postgres', '--auth=trust', '--locale=C', '--encoding=UTF8'];
  execFileSync(join(o.bin, 'initdb'), [`--pgdata=${part}`, '--no-sync', ...flags], {
    ...o.user,
    cwd: '/',
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  renameSync(part, o.dataDir);
}

function launch(o: {
  bin: string;
  dataDir: string;
  user: OsUser | null;
  port: number;
  durable: boolean;
  connections: number;
}): ChildProcess {
  const settings = [
    'listen_addresses=127.0.0.1',
    'unix_socket_directories=',
    'timezone=UTC',
    `cluster_name=${EMBEDDED_CLUSTER}`,
    `max_connections=${o.connections}`,
    ...(o.durable ? [] : ['fsync=off', 'synchronous_commit=off', 'full_page_writes=off']),
  ];
  const flags = settings.flatMap((setting) => ['-c', setting]);
  const log = openSync(logFile(o.dataDir), 'w');
  // Its own process group: Ctrl-C in the terminal must not stop it before its users.
  const child = spawn(join(o.bin, 'postgres'), ['-D', o.dataDir, '-p', String(o.port), ...flags], {
    ...o.user,
    cwd: '/',
    detached: true,
    stdio: ['ignore', log, log],
  });
  closeSync(log);
  child.unref();
  return child;
}

async function waitUntilReady(o: {
  port: number;
  dataDir: string;
  pid: number;
  child: ChildProcess | null;
}): Promise<void> {
  const deadline = Date.now() + READY_TIMEOUT_MS;
  for (;;) {
    if (o.child && (o.child.exitCode !== null || o.child.signalCode !== null))
      throw new Error(`PostgreSQL did not start on port ${o.port}:\n${logTail(o.dataDir)}`);
    if (isReady(o)) return;
    if (Date.now() > deadline)
      throw new Error(`PostgreSQL does not answer on port ${o.port}:\n${logTail(o.dataDir)}`);
    await sleep(30);
  }
}

/** Whether the server reports in its own folder that it is ready. The port may belong to another. */
function isReady(o: { dataDir: string; pid: number }): boolean {
  try {
    const lines = readFileSync(join(o.dataDir, 'postmaster.pid'), 'utf8').split('\n');
    return Number(lines[0]) === o.pid && lines[7]?.trim() === 'ready';
  } catch {
    return false;
  }
}

/** "Fast" shutdown: connections are cut, a checkpoint is written. */
async function stop(pid: number): Promise<void> {
  if (isAlive(pid)) process.kill(pid, 'SIGINT');
  for (let waitedMs = 0; isAlive(pid); waitedMs += 20) {
    if (waitedMs === 20_000) process.kill(pid, 'SIGQUIT');
    await sleep(20);
  }
}

const logFile = (dataDir: string) => `${dataDir}.log`;

function logTail(dataDir: string): string {
  return readFileSync(logFile(dataDir), 'utf8').trim().split('\n').slice(-5).join('\n');
}
