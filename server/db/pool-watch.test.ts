import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '@/tests/harness/create-test-database';
import { trusted } from '@/server/trusted';
import { openClient } from './client';
import { poolState, poolStuckMs } from './pool-watch';

let database: TestDatabase;
let proxy: Server;
let isSilent = false;
const sockets = new Set<Socket>();

beforeAll(async () => {
  database = await createTestDatabase();
  const { hostname, port } = new URL(database.url);
  proxy = createServer((near) => {
    const far = connect(Number(port), hostname);
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(from);
      from.on('data', (bytes: Buffer) => isSilent || to.write(bytes));
      from.on('error', () => to.destroy());
      from.on('close', () => to.destroy());
    }
  });
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
});
afterAll(async () => {
  for (const socket of sockets) socket.destroy();
  proxy.close();
  await database.close();
});

it('gives up connections that swallow what is sent, and works on new ones', async () => {
  const url = new URL(database.url);
  url.host = `127.0.0.1:${trusted<AddressInfo>(proxy.address(), 'it listens on a port').port}`;
  const db = openClient({ databaseUrl: url.href, max: 2, answerMs: 500 });
  try {
    const ask = () => db.$queryRaw`select 1 as one`;
    await Promise.all([ask(), ask()]);
    expect(poolState()).toMatchObject({ size: 2, waiting: 0, stuckMs: 0 });
    const inTransaction = db.$transaction(async (tx) => {
      await tx.$queryRaw`select 2 as two`;
      isSilent = true;
      await tx.$queryRaw`select 3 as three`;
    });
    const others = [ask(), ask(), ask()];
    await expect(inTransaction).rejects.toThrow();
    const ended = await Promise.allSettled(others);
    expect(ended.map(({ status }) => status)).toContain('rejected');
    isSilent = false;
    // Not one of the two old connections is asked again.
    await Promise.all([ask(), ask(), ask(), ask()]);
    expect(poolState()).toMatchObject({ waiting: 0, stuckMs: 0 });
  } finally {
    await db.$disconnect();
  }
});

it('counts for how long nobody got a connection', async () => {
  const db = openClient({ databaseUrl: database.url, max: 1 });
  let release = () => {};
  const held = new Promise<void>((resolve) => (release = resolve));
  try {
    const holder = db.$transaction(async (tx) => {
      await tx.$queryRaw`select 1 as one`;
      await held;
    });
    await expect.poll(() => poolState()?.size).toBe(1);
    // It is asked only once somebody waits for its answer.
    const waiter = db.$queryRaw`select 2 as two`.then((rows) => rows);
    await expect.poll(() => poolState()?.waiting).toBe(1);
    expect(poolStuckMs(performance.now() + 61_000)).toBeGreaterThan(60_000);
    release();
    await Promise.all([holder, waiter]);
    expect(poolStuckMs(performance.now() + 61_000)).toBe(0);
  } finally {
    release();
    await db.$disconnect();
  }
});
