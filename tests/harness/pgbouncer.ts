import { spawn } from 'node:child_process';
import { chmodSync, chownSync, existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import { freePort } from '@/devnet/free-port';
import { findUser } from '@/devnet/postgres/find-user';
import type { PoolerDouble } from './pooler-double';

const PROGRAM = '/usr/sbin/pgbouncer';

export const hasPgBouncer = (): boolean => existsSync(PROGRAM);

/** Debian's PgBouncer in transaction mode before a database, with its own defaults otherwise. */
export async function startPgBouncer(o: {
  databaseUrl: string;
  size: number;
}): Promise<Pick<PoolerDouble, 'url' | 'close'>> {
  const dir = mkdtempSync(join(tmpdir(), 'quittance-pgbouncer-'));
  const user = findUser(dir);
  const at = new URL(o.databaseUrl);
  const port = await freePort();
  const files = {
    'users.txt': `"${at.username}" "${at.password}"\n`,
    'pgbouncer.ini': [
      '[databases]',
      `* = host=${at.hostname} port=${at.port}`,
      '[pgbouncer]',
      'listen_addr = 127.0.0.1',
      `listen_port = ${port}`,
      'unix_socket_dir =',
      'auth_type = plain',
      `auth_file = ${join(dir, 'users.txt')}`,
      'pool_mode = transaction',
      `default_pool_size = ${o.size}`,
    ].join('\n'),
  };
  for (const [name, text] of Object.entries(files)) writeFileSync(join(dir, name), text);
  chmodSync(dir, 0o755);
  if (user)
    for (const name of ['', ...Object.keys(files)]) chownSync(join(dir, name), user.uid, user.gid);
  const child = spawn(PROGRAM, [join(dir, 'pgbouncer.ini')], {
    ...user,
    cwd: '/',
    stdio: 'ignore',
  });
  const ended = new Promise((resolve) => child.once('close', resolve));
  const url = (databaseUrl: string): string => {
    const through = new URL(databaseUrl);
    through.host = `127.0.0.1:${port}`;
    return through.href;
  };
  for (let tries = 0; !(await answers(url(o.databaseUrl))); tries += 1) {
    if (child.exitCode !== null || tries > 1_200) throw new Error('PgBouncer did not start');
    await sleep(100);
  }
  return {
    url,
    close: async () => {
      child.kill('SIGKILL');
      await ended;
      rmSync(dir, { recursive: true, force: true });
    },
  };
}

async function answers(url: string): Promise<boolean> {
  const client = new Client({ connectionString: url });
  client.on('error', () => undefined);
  try {
    await client.connect();
    await client.query('select 1');
    return true;
  } catch {
    return false;
  } finally {
    await client.end().catch(() => undefined);
  }
}
