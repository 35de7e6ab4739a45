import { randomBytes } from 'node:crypto';
import { PrismaPg } from '@prisma/adapter-pg';
import { Client } from 'pg';
import { PrismaClient } from '@/generated/prisma/client';
import { TEMPLATE, testPostgresUrl } from './test-postgres';

export type TestDatabase = { url: string; prisma: PrismaClient; close(): Promise<void> };

/**
 * A separate database for a test file, with every table and no rows. `empty` has no tables either.
 * Call it in `beforeAll` and `close()` in `afterAll`.
 */
export async function createTestDatabase(o: { empty?: boolean } = {}): Promise<TestDatabase> {
  const name = `test_${randomBytes(8).toString('hex')}`;
  await admin(
    `create database ${name} template ${o.empty ? 'template0' : TEMPLATE} strategy file_copy`,
  );
  const url = new URL(testPostgresUrl());
  url.pathname = `/${name}`;
  const prisma = new PrismaClient({
    adapter: new PrismaPg({ connectionString: url.href, max: 10 }),
  });
  return {
    url: url.href,
    prisma,
    close: async () => {
      await prisma.$disconnect();
      await admin(`drop database ${name} with (force)`);
    },
  };
}

async function admin(sql: string): Promise<void> {
  const client = new Client({ connectionString: testPostgresUrl() });
  await client.connect();
  try {
    await client.query(sql);
  } finally {
    await client.end();
  }
}
