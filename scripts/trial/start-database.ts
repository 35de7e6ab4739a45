import { execFileSync } from 'node:child_process';
import { chmodSync, chownSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { childEnv } from '../environment';
import { findUser } from '@/devnet/postgres/find-user';

const LIBRARY = '/usr/lib/postgresql';

/**
 * Debian's PostgreSQL, started like its image: a superuser with a password and a database of the
 * same name, on port 5432. Every connection needs the password.
 */
export async function startDatabase(o: {
  dir: string;
  user: string;
  password: string;
}): Promise<{ kill(): Promise<void>; start(): Promise<void>; close(): Promise<void> }> {
  const bin = join(LIBRARY, readdirSync(LIBRARY).sort().at(-1) ?? '', 'bin');
  const place = join(o.dir, 'postgres');
  mkdirSync(place);
  chmodSync(place, 0o700);
  const data = join(place, 'data');
  const passwordFile = join(place, 'password');
  writeFileSync(passwordFile, o.password);
  const user = findUser(data);
  if (user) for (const path of [place, passwordFile]) chownSync(path, user.uid, user.gid);
  const run = (program: string, args: string[]) =>
    execFileSync(join(bin, program), args, { ...user, cwd: '/', stdio: 'ignore' });
  const login = [`--username=${o.user}`, `--pwfile=${passwordFile}`];
  run('initdb', [`--pgdata=${data}`, '--auth=scram-sha-256', '--encoding=UTF8', ...login]);
  const flags = '-c timezone=UTC -c unix_socket_directories= -c listen_addresses=*';
  const start = () =>
    run('pg_ctl', ['-w', '-D', data, '-l', join(place, 'log'), '-o', flags, 'start']);
  start();
  execFileSync(
    join(bin, 'psql'),
    [`postgresql://${o.user}@postgres/postgres`, '-c', `create database ${o.user}`],
    { env: childEnv({ PGPASSWORD: o.password }), stdio: 'ignore' },
  );
  return {
    // Like a crash: nothing is written at the end, and a recovery follows.
    kill: async () => {
      run('pg_ctl', ['-w', '-m', 'immediate', '-D', data, 'stop']);
    },
    start: async () => {
      start();
    },
    close: async () => {
      run('pg_ctl', ['-w', '-m', 'fast', '-D', data, 'stop']);
    },
  };
}
