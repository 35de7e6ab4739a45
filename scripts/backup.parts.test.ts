import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { spawnSync } from 'node:child_process';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { childEnv } from './environment';
import { migrate } from '@/prisma/migrate';
import {
  debianPostgres,
  startDebianPostgres,
  type DebianPostgres,
} from '@/tests/harness/debian-postgres';
import { isolatedEnv } from './isolated-env';
import { connectionOf } from './make-backup';
import { MIGRATIONS } from '@/prisma/migrate';

const bin = debianPostgres();
if (bin === null) process.stdout.write('left out: no PostgreSQL of Debian, backups with pg_dump\n');

const PASSWORD = "p@ss/w#rd %41:'x";
let server: DebianPostgres;
let dir: string;
let url: string;

describe.skipIf(bin === null)('npm run backup', () => {
  vi.setConfig({ testTimeout: 120_000 });
  beforeAll(async () => {
    dir = mkdtempSync(join(tmpdir(), 'quittance-backup-'));
    server = await startDebianPostgres(bin ?? '');
    await query(server.url('postgres'), [
      'create database shop',
      `create role "o@wner" superuser login password '${PASSWORD.replaceAll("'", "''")}'`,
    ]);
    const made = new URL(server.url('shop'));
    made.username = encodeURIComponent('o@wner');
    made.password = encodeURIComponent(PASSWORD);
    url = made.href;
    await migrate({ databaseUrl: url, dir: MIGRATIONS });
    await query(url, [
      `insert into audit_log (at, actor, action, subject, detail) values (now(), 'tester', 'a', repeat('ü', 9), '{}')`,
    ]);
  });
  afterAll(async () => {
    await server.close();
    rmSync(dir, { recursive: true, force: true });
  });

  it('writes a dump that only its owner can read, and the restored rows equal the original', async () => {
    const to = join(dir, 'kept');
    const { status, stdout, stderr } = run(['--to', to]);
    expect([status, stderr]).toEqual([0, '']);
    const [name = ''] = readdirSync(to);
    expect(readdirSync(to)).toHaveLength(1);
    expect(name).toMatch(/^quittance-\d{8}T\d{6}Z\.dump$/);
    expect(stdout.toString()).toContain(join(to, name));
    expect(statSync(join(to, name)).mode & 0o777).toBe(0o600);
    await restored(join(to, name), 'from_file');
  });

  it('writes the same to a pipe, and nothing else', async () => {
    const { status, stdout } = run([]);
    expect(status).toBe(0);
    const file = join(dir, 'piped.dump');
    writeFileSync(file, stdout);
    await restored(file, 'from_pipe');
  });

  it('leaves no file when it fails, and says why', async () => {
    const to = join(dir, 'failed');
    await query(server.url('postgres'), ['create database empty']);
    const empty = run(['--to', to], { DATABASE_URL: server.url('empty') });
    expect([empty.status, empty.stderr]).toEqual([
      1,
      expect.stringContaining('not a database of the service: it lacks receipts'),
    ]);
    const away = run(['--to', to], { DATABASE_URL: 'postgresql://x:secret@127.0.0.1:1/x' });
    expect([away.status, away.stderr]).toEqual([1, expect.stringContaining('cannot be reached')]);
    expect(away.stderr).not.toContain('secret');
    // pg_dump dies in the middle, and its unfinished output is not a backup.
    const dying = join(dir, 'dying');
    spawnSync('mkdir', ['-p', dying]);
    const program = `#!/bin/sh\ncase "$1" in --version) echo 'pg_dump (PostgreSQL) 99.1';; *) echo half; exit 3;; esac\n`;
    writeFileSync(join(dying, 'pg_dump'), program, { mode: 0o755 });
    const half = run(['--to', to], { PATH: [dying, bin, path()].join(delimiter) });
    expect([half.status, half.stderr]).toEqual([1, expect.stringContaining('ended with code 3')]);
    const old = program.replace('99.1', '9.6');
    writeFileSync(join(dying, 'pg_dump'), old, { mode: 0o755 });
    const older = run(['--to', to], { PATH: [dying, bin, path()].join(delimiter) });
    expect([older.status, older.stderr]).toEqual([1, expect.stringContaining('is of version 9')]);
    expect(readdirSync(to)).toEqual([]);
  });

  it('passes the password unchanged in the environment', () => {
    expect(connectionOf(`${url}?sslmode=require`)).toMatchObject({
      PGUSER: 'o@wner',
      PGPASSWORD: PASSWORD,
      PGDATABASE: 'shop',
      PGSSLMODE: 'require',
    });
    expect(readFileSync('scripts/make-backup.ts', 'utf8')).not.toContain('--dbname');
  });
});

const path = () => childEnv({})['PATH'] ?? '';

/** `npm run backup -- …` as in package.json, with the settings of this folder only. */
function run(words: string[], env: Record<string, string> = {}) {
  const child = spawnSync('node', ['--import', 'tsx', 'scripts/backup.ts', ...words], {
    env: childEnv({
      ...isolatedEnv(),
      NETWORK: 'devnet',
      DATABASE_URL: url,
      PATH: [bin, path()].join(delimiter),
      ...env,
    }),
    maxBuffer: 64 * 1024 * 1024,
  });
  return { status: child.status, stdout: child.stdout, stderr: child.stderr.toString() };
}

/**
 * Restores a dump like docs/operation/backups.md does, and compares rows and migrations with the
 * original.
 */
async function restored(file: string, name: string): Promise<void> {
  await query(server.url('postgres'), [`create database ${name}`]);
  const words = ['--exit-on-error', '--no-owner', '--no-privileges', '--dbname', server.url(name)];
  const done = spawnSync(join(bin ?? '', 'pg_restore'), [...words, file], { env: childEnv({}) });
  expect([done.status, done.stderr.toString()]).toEqual([0, '']);
  for (const sql of [
    'select * from audit_log',
    'select migration_name, checksum from _prisma_migrations order by 1',
  ])
    expect(await query(server.url(name), [sql])).toEqual(await query(url, [sql]));
  expect(await migrate({ databaseUrl: server.url(name), dir: MIGRATIONS })).toEqual([]);
}

async function query(at: string, statements: string[]): Promise<unknown[]> {
  const client = new Client({ connectionString: at });
  await client.connect();
  try {
    let rows: unknown[] = [];
    for (const sql of statements) ({ rows } = await client.query(sql));
    return rows;
  } finally {
    await client.end();
  }
}
