import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '@/tests/harness/create-test-database';
import { makeEmbeddedKey, publicKeyOf } from '@/server/keys';
import { signByHand } from './sign-by-hand.fixture';
import { loadItem, saveItems } from './stored-items';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.close());

const at = (minute: number) => new Date(Date.UTC(2026, 10, 28, 10, minute));

function makeItem(anchorSeed: string) {
  const secret = makeEmbeddedKey();
  const key = { secret, publicKey: publicKeyOf(secret) };
  const data = Buffer.from('{"a":1}');
  return signByHand({ key, data, contentType: 'application/json', tags: [], anchorSeed });
}

test('a kept item is loaded byte for byte and kept once', async () => {
  const item = makeItem('1');
  const { prisma } = database;
  await saveItems(prisma, [item], at(0));
  await Promise.all([1, 2, 3].map((minute) => saveItems(prisma, [item], at(minute))));
  expect(await loadItem(prisma, item.id)).toMatchObject({ createdAt: at(0), uploadedAt: null });
  const loaded = await loadItem(prisma, item.id);
  expect(loaded).toMatchObject({
    id: item.id,
    contentType: 'application/json',
    dataSha256: item.dataSha256,
    owner: item.owner,
  });
  expect(Buffer.from(loaded?.raw ?? []).equals(item.raw)).toBe(true);
  expect(Buffer.from(loaded?.data ?? []).toString()).toBe('{"a":1}');
});

test('an unknown item is null, and one saved in a transaction that fails is not kept', async () => {
  const item = makeItem('2');
  const saving = database.prisma.$transaction(async (tx) => {
    await saveItems(tx, [item], at(0));
    throw new Error('rolled back');
  });
  await expect(saving).rejects.toThrow('rolled back');
  expect(await loadItem(database.prisma, item.id)).toBeNull();
});
