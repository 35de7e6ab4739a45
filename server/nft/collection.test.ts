import {
  getCreateCollectionV2InstructionDataSerializer,
  MPL_CORE_PROGRAM_ID,
} from '@metaplex-foundation/mpl-core';
import { generateSigner } from '@metaplex-foundation/umi';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { collectionAccount } from '@/devnet/chain/bubblegum/test-collection';
import type { PrismaClient } from '@/generated/prisma/client';
import { createTestDatabase, type TestDatabase } from '@/tests/harness/create-test-database';
import { buildCollection } from './build-collection';
import { collectionHashOf } from './leaf';
import { addMint, addTree, makeChain, type TestChain } from './minting.fixture';
import { offlineUmi, signerOf } from './offline-umi';
import { makeWorkers } from './workers.fixture';

let database: TestDatabase;
let db: PrismaClient;
let world: TestChain;

beforeAll(async () => {
  database = await createTestDatabase();
  db = database.prisma;
});
afterAll(() => database.close());
beforeEach(() => {
  world = makeChain();
});

const { mintFully, rowOf, leavesOf } = makeWorkers(() => ({ db, world }));

test.each([
  ['standard', ['BubblegumV2']],
  ['frozen', ['BubblegumV2', 'PermanentFreezeDelegate']],
] as const)('a %s collection is made with the plugins %s', (kind, plugins) => {
  const minter = signerOf(world.minter);
  const collection = generateSigner(offlineUmi());
  const built = buildCollection({ collection, minter, kind, name: 'Receipts', uri: 'https://x/c' });
  const [instruction, ...others] = built.getInstructions();
  if (!instruction) throw new Error('there is no instruction');
  expect(others).toEqual([]);
  expect(instruction.programId).toBe(MPL_CORE_PROGRAM_ID);
  expect(instruction.keys.slice(0, 3)).toMatchObject([
    { pubkey: collection.publicKey, isSigner: true, isWritable: true },
    { pubkey: minter.publicKey, isSigner: false },
    { pubkey: minter.publicKey, isSigner: true, isWritable: true },
  ]);
  const [data] = getCreateCollectionV2InstructionDataSerializer().deserialize(instruction.data);
  expect(data).toMatchObject({ name: 'Receipts', uri: 'https://x/c' });
  const made = data.plugins.__option === 'Some' ? data.plugins.value : [];
  expect(made.map((one) => one.plugin.__kind)).toEqual(plugins);
  if (kind === 'frozen') expect(made[1]?.plugin).toMatchObject({ fields: [{ frozen: true }] });
});

test('an NFT that belongs to a collection is minted into it', async () => {
  await addTree(world, db);
  const collection = generateSigner(offlineUmi()).publicKey.toString();
  const authority = world.minter.publicKey;
  world.chain.set(collection, collectionAccount({ authority, plugin: true, minted: 0, size: 0 }));
  const mint = await addMint(db, { collection });
  expect(await mintFully(mint)).toMatchObject({ state: 'recorded' });
  const collectionHash = collectionHashOf(collection);
  expect(leavesOf(mint)).toMatchObject([{ collection, collectionHash }]);
  expect(await rowOf(mint)).toMatchObject({ status: 'completed' });
});
