import { afterAll, beforeAll, expect, it } from 'vitest';
import { makeKey } from '@/server/receipts/evidence.fixture';
import { createTestDatabase, type TestDatabase } from '@/tests/harness/create-test-database';
import { spaceFault } from './check-accounts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.close());

it('nothing more is sold when the trees have space only for waiting mints', async () => {
  const minter = makeKey();
  const { prisma } = database;
  const ask = () => spaceFault({ db: prisma, env: { network: 'local', minter } });
  expect(await ask()).toContain('nearly full');
  const at = new Date();
  await prisma.tree.create({
    data: {
      address: 'tree',
      network: 'local',
      creator: minter.publicKey,
      capacity: 32n,
      minter: minter.publicKey,
      maxDepth: 5,
      maxBufferSize: 8,
      canopyDepth: 0,
      createdAt: at,
    },
  });
  expect(await ask()).toBeNull();
  await prisma.tree.updateMany({ data: { minted: 11n } });
  expect(await ask()).toBeNull();
  const pending = (id: number) => ({
    id: `WAITING${id}`,
    kind: 'receipt' as const,
    owner: 'o',
    name: 'n',
    metadataUri: 'u',
    metadataItemId: 'm',
    imageItemId: 'i',
    redriveAt: at,
    createdAt: at,
    updatedAt: at,
  });
  await prisma.mint.createMany({ data: [1, 2].map(pending) });
  expect(await ask()).toContain('nearly full');
});
