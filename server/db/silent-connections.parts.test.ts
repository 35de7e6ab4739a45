import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '@/tests/harness/create-test-database';
import { trusted } from '@/server/trusted';
import { openClient } from './client';

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
  const db = openClient({ databaseUrl: url.href, max: 2, answerMs: 3_000 });
  try {
    const ask = () => db.$queryRaw`select 1 as one`;
    await Promise.all([ask(), ask()]);
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
  } finally {
    await db.$disconnect();
  }
});
