import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { freePort } from '../free-port';
import { isAlive } from './find-running';
import { ensureDatabase, startPostgres, type Postgres } from './start-postgres';

let dir: string;
let dataDir: string;
let running: Postgres[];

beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'quittance-postgres-test-'));
  chmodSync(dir, 0o755);
  dataDir = join(dir, 'postgres');
  running = [];
});
afterEach(async () => {
  for (const server of running) await server.close();
  rmSync(dir, { recursive: true, force: true });
});

async function start(port: number): Promise<Postgres> {
  const server = await startPostgres({ dataDir, port, durable: false });
  running.push(server);
  return server;
}

async function query(server: Postgres, sql: string, database = 'postgres'): Promise<unknown[]> {
  const client = new Client({ connectionString: server.url(database) });
  await client.connect();
  const { rows } = await client.query<Record<string, unknown>>(sql);
  await client.end();
  return rows;
}

describe('startPostgres', () => {
  it('keeps committed data through a stop and a kill -9', async () => {
    const port = await freePort();
    const first = await start(port);
    await ensureDatabase(first, 'kept');
    await ensureDatabase(first, 'kept');
    await query(first, 'create table t (v int); insert into t values (1)', 'kept');
    await first.close();
    expect(isAlive(first.pid)).toBe(false);

    const second = await start(port);
    await query(second, 'checkpoint');
    process.kill(second.pid, 'SIGKILL');
    while (isAlive(second.pid)) await new Promise((resolve) => setTimeout(resolve, 20));
    const third = await start(port);
    expect(await query(third, 'select v from t', 'kept')).toEqual([{ v: 1 }]);
  });

  it('reuses a server that is still running, on the requested port', async () => {
    const port = await freePort();
    const left = await start(port);
    expect((await start(port)).pid).toBe(left.pid);
    const other = await freePort();
    const moved = await start(other);
    expect(isAlive(left.pid)).toBe(false);
    expect(await query(moved, 'select 1 as one')).toEqual([{ one: 1 }]);
  });

  it('starts although the number of a killed server belongs to another program now', async () => {
    const port = await freePort();
    await (await start(port)).close();
    // Of the same user: in this case PostgreSQL without our check refuses to start.
    const other = await startPostgres({ dataDir: `${dataDir}-2`, port: await freePort() });
    running.push(other);
    const stale = [other.pid, dataDir, 1, port, '', '127.0.0.1', '', 'ready', ''].join('\n');
    writeFileSync(join(dataDir, 'postmaster.pid'), stale);
    const server = await start(port);
    expect(server.pid).not.toBe(other.pid);
    expect(isAlive(other.pid)).toBe(true);
    expect(readFileSync(join(dataDir, 'postmaster.pid'), 'utf8')).toContain(String(server.pid));
  });

  it('listens on this machine only, and identifies itself', async () => {
    const server = await start(await freePort());
    expect(await query(server, 'show listen_addresses')).toEqual([
      { listen_addresses: '127.0.0.1' },
    ]);
    expect(await query(server, 'show cluster_name')).toEqual([
      { cluster_name: 'quittance-embedded' },
    ]);
  });

  it('says what is wrong when its port is taken', async () => {
    const port = await freePort();
    await start(port);
    const second = startPostgres({ dataDir: join(dir, 'second'), port, durable: false });
    await expect(second).rejects.toThrow(/did not start on port[\s\S]*in use/);
  });
});
