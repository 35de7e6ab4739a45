import { PrismaPg } from '@prisma/adapter-pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { PrismaClient } from '@/generated/prisma/client';
import { createTestDatabase, type TestDatabase } from '@/tests/harness/create-test-database';
import { databaseNow, zoneBesideUtc } from './database-clock';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.close());

/** A client whose sessions are in a time zone, like the settings of a server may set it. */
async function inZone<T>(zone: string, work: (db: PrismaClient) => Promise<T>): Promise<T> {
  const options = `-c timezone=${zone}`;
  const db = new PrismaClient({
    adapter: new PrismaPg({ connectionString: database.url, options, max: 1 }),
  });
  return work(db).finally(() => db.$disconnect());
}

it.each(['UTC', 'Asia/Kathmandu', 'America/St_Johns'])(
  'the time of a database in the zone %s is the same',
  async (zone) => {
    const before = Date.now();
    const told = (await inZone(zone, databaseNow)).getTime();
    expect(told).toBeGreaterThanOrEqual(before - 5);
    expect(told).toBeLessThanOrEqual(Date.now() + 5);
  },
);

it('sessions in another zone than UTC are known, also where it is UTC in winter', async () => {
  const zones = ['UTC', 'Etc/UTC', 'GMT', 'Asia/Kathmandu', 'Europe/London'];
  const seen = [];
  for (const zone of zones) seen.push(await inZone(zone, zoneBesideUtc));
  expect(seen).toEqual([null, null, null, 'Asia/Kathmandu', 'Europe/London']);
});
