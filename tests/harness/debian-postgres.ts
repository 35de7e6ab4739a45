import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { chmodSync, chownSync, existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '@/devnet/free-port';
import { findUser } from '@/devnet/postgres/find-user';
import { childEnv } from '@/scripts/environment';

const LIBRARY = '/usr/lib/postgresql';

/** The folder of Debian's newest PostgreSQL that also has its client programs, or null. */
export function debianPostgres(): string | null {
  if (!existsSync(LIBRARY)) return null;
  const versions = readdirSync(LIBRARY).sort((a, b) => Number(b) - Number(a));
  const bins = versions.map((version) => join(LIBRARY, version, 'bin'));
  const programs = ['initdb', 'postgres', 'pg_dump', 'pg_restore', 'psql'];
  return bins.find((bin) => programs.every((name) => existsSync(join(bin, name)))) ?? null;
}

export type DebianPostgres = { url(database: string): string; close(): Promise<void> };

/** A server of Debian's PostgreSQL with a password, in a new folder. */
export async function startDebianPostgres(bin: string): Promise<DebianPostgres> {
  const dir = mkdtempSync(join(tmpdir(), 'quittance-debian-'));
  const user = findUser(join(dir, 'data'));
  chmodSync(dir, 0o755);
  if (user) chownSync(dir, user.uid, user.gid);
  const data = join(dir, 'data');
  const as = { ...user, cwd: '/' };
  execFileSync(
    join(bin, 'initdb'),
    [`--pgdata=${data}`, '--no-sync', '--username=postgres', '--auth=trust', '--encoding=UTF8'],
    { ...as, stdio: 'ignore' },
  );
  const port = await freePort();
  // initdb writes down the machine's time zone, and the service wants its sessions in UTC.
  const flags = [
    'timezone=UTC',
    'fsync=off',
    'listen_addresses=127.0.0.1',
    'unix_socket_directories=',
  ];
  const child = spawn(
    join(bin, 'postgres'),
    ['-D', data, '-p', String(port), ...flags.flatMap((flag) => ['-c', flag])],
    { ...as, stdio: 'ignore' },
  );
  const ended = new Promise((resolve) => child.once('close', resolve));
  const url = (database: string) => `postgresql://postgres@127.0.0.1:${port}/${database}`;
  const isReady = () =>
    spawnSync(join(bin, 'psql'), [url('postgres'), '-c', 'select 1'], { env: childEnv({}) })
      .status === 0;
  for (let tries = 0; !isReady(); tries += 1) {
    if (child.exitCode !== null || tries > 1_200) throw new Error('PostgreSQL did not start');
    await sleep(100);
  }
  return {
    url,
    close: async () => {
      child.kill('SIGINT');
      await ended;
      rmSync(dir, { recursive: true, force: true });
    },
  };
}
