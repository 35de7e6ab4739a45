import { Pool, type PoolClient } from 'pg';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '@/tests/harness/create-test-database';
import { poolStates, countPool } from './pool-state';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.close());

const open: (Pool | PoolClient)[] = [];
afterEach(async () => {
  for (const one of open.splice(0)) if (one instanceof Pool) await one.end();
});

function watched(name: string): Pool {
  const pool = new Pool({ connectionString: database.url, max: 1 });
  countPool(name, pool);
  open.push(pool);
  return pool;
}
const stateOf = (name: string) => poolStates().find((state) => state.name === name);
const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

it('a pool tells its size, its connections and who waits', async () => {
  const pool = watched('told');
  expect(stateOf('told')).toEqual({
    ...{ name: 'told', size: 1, open: 0, idle: 0, waiting: 0, stuckS: 0 },
  });
  const taken = await pool.connect();
  const waiting = pool.connect();
  expect(stateOf('told')).toMatchObject({ open: 1, idle: 0, waiting: 1 });
  taken.release();
  (await waiting).release();
  expect(stateOf('told')).toMatchObject({ open: 1, idle: 1, waiting: 0, stuckS: 0 });
});

it('an exhausted pool counts the time until a connection moves, also when callers give up', async () => {
  const pool = watched('stuck');
  const taken = await pool.connect();
  await pause(120);
  expect(stateOf('stuck')?.waiting).toBe(0);
  expect(stateOf('stuck')?.stuckS).toBeGreaterThan(0.1);
  const waiting = pool.connect();
  taken.release();
  const next = await waiting;
  expect(stateOf('stuck')?.stuckS).toBeLessThan(0.1);
  next.release();
  expect(stateOf('stuck')?.stuckS).toBe(0);
});

it('pools of one name are added up, and the longest standstill counts', async () => {
  const [one, other] = [watched('both'), watched('both')];
  const taken = await one.connect();
  await pause(60);
  const later = await other.connect();
  const state = stateOf('both');
  expect(state).toMatchObject({ size: 2, open: 2, idle: 0 });
  expect(state?.stuckS).toBeGreaterThan(0.05);
  taken.release();
  later.release();
});
