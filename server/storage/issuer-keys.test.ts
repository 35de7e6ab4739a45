import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '@/tests/harness/create-test-database';
import { listIssuerKeys, noteIssuerKey } from './issuer-keys';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.close());

const at = (minute: number) => new Date(Date.UTC(2026, 10, 28, 10, minute));
const note = (publicKey: string, now: Date) =>
  noteIssuerKey(database.prisma, { kind: 'storage', publicKey, now });
const listed = () => listIssuerKeys(database.prisma, { kind: 'storage', order: 'newest' });

test('one storage key is in use and the others have an end, with any number of simultaneous starts', async () => {
  const { prisma } = database;
  await prisma.issuerKey.create({
    data: { kind: 'creator', publicKey: 'old', usedFrom: at(0) },
  });
  await Promise.all(Array.from({ length: 4 }, () => note('old', at(1))));
  await note('old', at(2));
  expect(await listed()).toEqual([{ publicKey: 'old', usedFrom: at(1), usedUntil: null }]);
  await Promise.all(Array.from({ length: 4 }, () => note('new', at(3))));
  await note('new', at(4));
  expect(await listed()).toEqual([
    { publicKey: 'new', usedFrom: at(3), usedUntil: null },
    { publicKey: 'old', usedFrom: at(1), usedUntil: at(3) },
  ]);
  await note('old', at(5));
  expect(await listed()).toEqual([
    { publicKey: 'new', usedFrom: at(3), usedUntil: at(5) },
    { publicKey: 'old', usedFrom: at(1), usedUntil: null },
  ]);
  const creator = { kind: 'creator', publicKey: 'old' } as const;
  expect(await prisma.issuerKey.findFirst({ where: creator })).toMatchObject({ usedUntil: null });
});

test('keys noted in turn by many processes never block each other', async () => {
  const keys = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'];
  await Promise.all(Array.from({ length: 400 }, (_, i) => note(keys[i % 8] ?? 'a', at(10))));
  await note('c', at(11));
  const inUse = (await listed()).filter(({ usedUntil }) => usedUntil === null);
  expect(inUse.map(({ publicKey }) => publicKey)).toEqual(['c']);
});
