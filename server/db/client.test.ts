import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { Pool, type PoolClient } from 'pg';
import { afterAll, afterEach, beforeAll, expect, it, vi } from 'vitest';
import { createTestDatabase, type TestDatabase } from '@/tests/harness/create-test-database';
import { trusted } from '@/server/trusted';
import { poolStates, countPool, nameStatements } from './client';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.close());

const open: Pool[] = [];
const borrowed = new Set<PoolClient>();

async function borrow(from: Pool): Promise<PoolClient> {
  const client = await from.connect();
  borrowed.add(client);
  return client;
}
function giveBack(client: PoolClient): void {
  borrowed.delete(client);
  client.release();
}
afterEach(async () => {
  vi.useRealTimers();
  for (const client of [...borrowed]) giveBack(client);
  await Promise.all(open.splice(0).map((pool) => pool.end()));
});

function watched(name: string): Pool {
  const pool = new Pool({ connectionString: database.url, max: 1 });
  countPool(name, pool);
  open.push(pool);
  return pool;
}
const stateOf = (name: string) => poolStates().find((state) => state.name === name);
const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

it('a pool reports its size, its connections and its waiting callers', async () => {
  const pool = watched('told');
  expect(stateOf('told')).toEqual({
    name: 'told',
    size: 1,
    open: 0,
    idle: 0,
    lent: 0,
    waiting: 0,
    stuckS: 0,
  });
  const taken = await borrow(pool);
  const waiting = borrow(pool);
  expect(stateOf('told')).toMatchObject({ open: 1, idle: 0, lent: 1, waiting: 1 });
  giveBack(taken);
  giveBack(await waiting);
  expect(stateOf('told')).toMatchObject({ open: 1, idle: 1, waiting: 0, stuckS: 0 });
});

it('an exhausted pool counts the time until a connection moves, also when callers give up', async () => {
  vi.useFakeTimers({ toFake: ['performance'] });
  const pool = watched('stuck');
  const taken = await borrow(pool);
  vi.advanceTimersByTime(120);
  expect(stateOf('stuck')?.waiting).toBe(0);
  expect(stateOf('stuck')?.stuckS).toBeGreaterThan(0.1);
  const waiting = borrow(pool);
  const stuckS = stateOf('stuck')?.stuckS ?? 0;
  giveBack(taken);
  const next = await waiting;
  expect(stateOf('stuck')?.stuckS).toBeLessThan(stuckS);
  giveBack(next);
  expect(stateOf('stuck')?.stuckS).toBe(0);
});

it('pools of one name are added up, and the longest standstill counts', async () => {
  vi.useFakeTimers({ toFake: ['performance'] });
  const [one, other] = [watched('both'), watched('both')];
  await borrow(one);
  vi.advanceTimersByTime(60);
  await borrow(other);
  const state = stateOf('both');
  expect(state).toMatchObject({ size: 2, open: 2, idle: 0 });
  expect(state?.stuckS).toBeGreaterThan(0.05);
});

it('a pool that cannot connect is not stuck: a new process could not either', async () => {
  const silent = createServer(() => undefined).listen(0, '127.0.0.1');
  await once(silent, 'listening');
  const { port } = trusted<AddressInfo>(silent.address(), 'it listens on a port');
  const pool = new Pool({ host: '127.0.0.1', port, max: 1, connectionTimeoutMillis: 200 });
  countPool('away', pool);
  const tries = [pool.connect(), pool.connect()].map((one) => one.catch(() => 'refused'));
  await pause(100);
  expect(stateOf('away')).toMatchObject({ idle: 0, stuckS: 0 });
  expect(await Promise.all(tries)).toEqual(['refused', 'refused']);
  await pool.end();
  silent.close();
});

it('names a statement once it has come again and again, and always the same', () => {
  const name = nameStatements();
  const names = Array.from({ length: 8 }, () => name({ sql: 'select 1' }));
  expect(names.slice(0, 4)).toEqual(['', '', '', '']);
  expect(new Set(names.slice(4)).size).toBe(1);
  // PostgreSQL cuts longer names off.
  expect(names.at(-1)).toMatch(/^[\w-]{10,63}$/);
  expect(nameStatements()({ sql: 'select 1' })).toBe('');
});

it('keeps no more than a connection should remember, however many statements there are', () => {
  const name = nameStatements();
  const named = new Set<string>();
  for (let i = 0; i < 1_000; i += 1)
    for (let times = 0; times < 6; times += 1) named.add(name({ sql: `select ${i}` }));
  named.delete('');
  expect(named.size).toBe(250);
});

it('leaves a search to be planned by its words', () => {
  const name = nameStatements();
  const sql = 'select 1 where a @@ words_query($1)';
  expect(new Set(Array.from({ length: 9 }, () => name({ sql })))).toEqual(new Set(['']));
});
