import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '@/tests/harness/create-test-database';
import { untilLockWaits } from '@/tests/harness/until-lock-waits';
import { migrate, pendingMigrations } from './migrate';

let database: TestDatabase;
let dir: string;

beforeEach(async () => {
  database = await createTestDatabase({ empty: true });
  dir = mkdtempSync(join(tmpdir(), 'quittance-migrations-'));
});
afterEach(async () => {
  await database.close();
  rmSync(dir, { recursive: true });
});

function write(name: string, sql: string) {
  mkdirSync(join(dir, name), { recursive: true });
  writeFileSync(join(dir, name, 'migration.sql'), sql);
}

async function query(sql: string) {
  const client = new Client({ connectionString: database.url });
  await client.connect();
  const { rows } = await client.query(sql);
  await client.end();
  return rows;
}

const run = () => migrate({ databaseUrl: database.url, dir });

describe('migrate', () => {
  it('applies missing migrations in the order of their names, once', async () => {
    write('20260102000000_b', 'alter table a add column second integer');
    write('20260101000000_a', 'create table a (first integer)');
    expect(await pendingMigrations({ databaseUrl: database.url, dir })).toHaveLength(2);
    expect(await run()).toEqual(['20260101000000_a', '20260102000000_b']);
    expect(await run()).toEqual([]);
    expect(await pendingMigrations({ databaseUrl: database.url, dir })).toEqual([]);
    expect(await query('select first, second from a')).toEqual([]);
  });

  it('records the same as the official command', async () => {
    write('20260101000000_a', 'select 1;\n');
    await run();
    const [row] = await query('select * from _prisma_migrations');
    expect(row).toMatchObject({
      migration_name: '20260101000000_a',
      // printf 'select 1;\n' | sha256sum
      checksum: '4a45092ccf992ea92250053a80b931b787924ba61648f420555511b84f10ab6c',
      applied_steps_count: 1,
      rolled_back_at: null,
      logs: null,
    });
    expect(row.finished_at).toBeInstanceOf(Date);
    expect(row.id).toMatch(/^[0-9a-f-]{36}$/);
  });

  it('takes the time it needs even if other sessions’ statements are limited', async () => {
    const name = new URL(database.url).pathname.slice(1);
    await query(`alter database "${name}" set statement_timeout = '200ms'`);
    write('20260101000000_a', 'select pg_sleep(0.5)');
    expect(await run()).toEqual(['20260101000000_a']);
  });

  describe('when a transaction of the previous release holds a table', () => {
    /** The previous release, in a transaction that has read the table. */
    async function readsA(): Promise<Client> {
      const release = new Client({ connectionString: database.url });
      await release.connect();
      await release.query('begin; select first from a');
      return release;
    }
    async function writesAndEnds(release: Client, table: string): Promise<void> {
      await release.query(`insert into ${table} (first) values (1); commit`);
      await release.end();
    }

    it('gives way, so that the transaction ends well, and is applied after it', async () => {
      write('20260101000000_a', 'create table a (first integer); create table b (first integer)');
      await run();
      const release = await readsA();
      // Each holds a table that the other one wants.
      write(
        '20260102000000_b',
        'alter table b add second integer; alter table a add second integer',
      );
      const applied = run();
      await untilLockWaits(query);
      await writesAndEnds(release, 'b');
      expect(await applied).toEqual(['20260102000000_b']);
      expect(await query('select first, second from b')).toEqual([{ first: 1, second: null }]);
    });

    it('takes one lock of each table, so that no other session comes between two of them', async () => {
      write('20260101000000_a', 'create table a (first integer primary key)');
      await run();
      const release = await readsA();
      write(
        '20260102000000_b',
        'create table b (a_first integer references a (first)); alter table a add second integer',
      );
      const applied = run();
      await untilLockWaits(query);
      await writesAndEnds(release, 'a');
      expect(await applied).toEqual(['20260102000000_b']);
    });

    it('gives up after a time, with nothing changed', async () => {
      write('20260101000000_a', 'create table a (first integer)');
      await run();
      const release = await readsA();
      write('20260102000000_b', 'create table b (); alter table a add second integer');
      const held = migrate({ databaseUrl: database.url, dir, patienceMs: 700 });
      await expect(held).rejects.toThrow(/20260102000000_b failed and was undone: .*lock timeout/);
      await release.end();
      expect(await query(`select to_regclass('b') as b`)).toEqual([{ b: null }]);
      expect(await run()).toEqual(['20260102000000_b']);
    });
  });

  it('refuses a file that was changed after it was applied, and changes nothing', async () => {
    write('20260101000000_a', 'create table a (first integer)');
    await run();
    write('20260101000000_a', 'create table a (first bigint)');
    write('20260102000000_b', 'create table b (first integer)');
    await expect(run()).rejects.toThrow(/20260101000000_a was changed/);
    expect(await query(`select to_regclass('b') as b`)).toEqual([{ b: null }]);
  });

  it('undoes the whole of a migration that fails, keeps the ones before it and runs it again', async () => {
    write('20260101000000_a', 'create table a (first integer)');
    write('20260102000000_b', 'create table b (first integer); select 1/0');
    await expect(run()).rejects.toThrow(/20260102000000_b failed and was undone: division by zero/);
    expect(await query(`select to_regclass('a')::text a, to_regclass('b') b`)).toEqual([
      { a: 'a', b: null },
    ]);
    write('20260102000000_b', 'create table b (first integer)');
    expect(await run()).toEqual(['20260102000000_b']);
  });

  it('applies each migration once when several starts run it at the same time', async () => {
    cpSync('prisma/migrations', dir, { recursive: true });
    const results = await Promise.all([run(), run(), run()]);
    const [{ count }] = await query('select count(*)::int from _prisma_migrations');
    expect(results.flat()).toHaveLength(count);
  });

  it('builds an index concurrently, beside waiting migrations and under writes', async () => {
    write('20260101000000_a', 'create table a (first integer)');
    const sql =
      '-- without a transaction\n-- Why.\ncreate index concurrently a_idx on a (first);\n';
    write('20260102000000_b', sql);
    write('20260103000000_c', 'create table c (first integer)');
    const results = await Promise.all([run(), run(), run()]);
    expect(results.flat()).toHaveLength(3);
    expect(
      await query(`select indisvalid from pg_index where indexrelid = 'a_idx'::regclass`),
    ).toEqual([{ indisvalid: true }]);
  });

  it('continues with an index whose build was interrupted', async () => {
    write('20260101000000_a', 'create table a (first integer); insert into a values (1), (1)');
    const sql = '-- without a transaction\ncreate unique index concurrently a_idx on a (first);';
    write('20260102000000_b', sql);
    await expect(run()).rejects.toThrow(/20260102000000_b failed and goes on with the next start/);
    const unfinished = `select count(*)::int from _prisma_migrations where finished_at is null`;
    expect(await query(unfinished)).toEqual([{ count: 1 }]);
    expect(await pendingMigrations({ databaseUrl: database.url, dir })).toEqual([
      '20260102000000_b',
    ]);
    await query('delete from a where ctid = (select min(ctid) from a)');
    expect(await run()).toEqual(['20260102000000_b']);
    expect(await query(unfinished)).toEqual([{ count: 0 }]);
    expect(
      await query(`select indisvalid from pg_index where indexrelid = 'a_idx'::regclass`),
    ).toEqual([{ indisvalid: true }]);
  });

  it('only builds indexes without a transaction, and nothing else', async () => {
    write('20260101000000_a', '-- without a transaction\ncreate table a (first integer);');
    await expect(run()).rejects.toThrow(/may only hold "create index concurrently/);
    expect(await query(`select to_regclass('a') as a`)).toEqual([{ a: null }]);
  });

  it('refuses to continue after a migration that another tool left unfinished', async () => {
    write('20260101000000_a', 'select 1');
    await run();
    await query('update _prisma_migrations set finished_at = null');
    await expect(run()).rejects.toThrow(/never finished/);
  });
});
