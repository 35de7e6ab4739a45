import {
  getCreateCollectionV2InstructionDataSerializer,
  MPL_CORE_PROGRAM_ID,
} from '@metaplex-foundation/mpl-core';
import { generateSigner } from '@metaplex-foundation/umi';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { PrismaClient } from '@/generated/prisma/client';
import { createTestDatabase, type TestDatabase } from '@/tests/harness/create-test-database';
import { buildCollection, createCollection } from './create-collection';
import { missingCollections } from './collections';
import { collectionHashOf } from '@quittance/verify/nft/leaf';
import { addMint, addTree, makeChain, START, type TestChain } from './minting.fixture';
import { offlineUmi, signerOf } from './offline-umi';
import { readLeaf } from './read-leaf';
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

const { work, mintFully, rowOf, leavesOf, attemptsOf } = makeWorkers(() => ({ db, world }));

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

/** Makes what is missing, as tree:create does. */
const collect = (holds: 'receipt' | 'statement', at: TestChain = world) =>
  createCollection({
    db,
    rpc: at.rpc,
    minter: at.minter,
    network: 'local' as const,
    holds,
    name: `quittance ${holds}s`,
    uri: 'https://quittance.test/.well-known/quittance.json',
  });

test('a receipt and a statement are minted each into the collection of its kind', async () => {
  await addTree(world, db);
  const collections = { receipt: await collect('receipt'), statement: await collect('statement') };
  const owner = { network: 'local' as const, minter: world.minter.publicKey };
  expect(await missingCollections(db, owner)).toEqual([]);
  for (const kind of ['receipt', 'statement'] as const) {
    const mint = await addMint(db, { kind });
    expect(await mintFully(mint)).toMatchObject({ state: 'recorded' });
    const { address } = collections[kind];
    const collectionHash = collectionHashOf(address);
    expect(leavesOf(mint)).toMatchObject([{ collection: address, collectionHash }]);
    expect(await rowOf(mint)).toMatchObject({ status: 'completed', collection: address });
  }
});

test('without a collection of the minter in use, an NFT is minted into none', async () => {
  await addTree(world, db);
  const other = makeChain();
  await collect('receipt', other);
  const { address } = await collect('receipt');
  await db.collection.update({ where: { address }, data: { retiredAt: START } });
  const owner = { network: 'local' as const, minter: world.minter.publicKey };
  expect(await missingCollections(db, owner)).toEqual(['receipt', 'statement']);
  const mint = await addMint(db);
  expect(await mintFully(mint)).toMatchObject({ state: 'recorded' });
  expect(leavesOf(mint)).toMatchObject([{ collection: null }]);
  expect(await rowOf(mint)).toMatchObject({ status: 'completed', collection: null });
});

test('a mint that was signed before there was a collection is read as it was signed', async () => {
  await addTree(world, db);
  const mint = await addMint(db);
  const worker = await work(mint);
  await worker.sign();
  await collect('receipt');
  await worker.send();
  expect(await worker.settle()).toMatchObject({ state: 'landed' });
  expect(await worker.record()).toMatchObject({ state: 'recorded' });
  expect(await rowOf(mint)).toMatchObject({ status: 'completed', collection: null });
});

test('a leaf in another collection than was signed is not taken for ours', async () => {
  await addTree(world, db);
  const without = await addMint(db);
  const signed = await (await work(without)).sign();
  if (signed.state !== 'signed') throw new Error(signed.state);
  await collect('receipt');
  const mint = await addMint(db);
  await mintFully(mint);
  const [attempt] = await attemptsOf(mint);
  if (!attempt) throw new Error('there is no attempt');
  const read = (wire: Uint8Array<ArrayBuffer>) =>
    readLeaf({ rpc: world.rpc, mint, attempt: { ...attempt, wire }, commitment: 'confirmed' });
  expect(await read(attempt.wire)).toMatchObject({ leaf: { owner: mint.owner } });
  expect(await read(signed.attempt.wire)).toBeNull();
});

test('what an earlier run began is finished, not made again', async () => {
  world.sends.loseAnswers = 1;
  await expect(collect('receipt')).rejects.toThrow('the connection broke');
  expect(await db.collection.count({ where: { minter: world.minter.publicKey } })).toBe(0);
  const { address } = await collect('receipt');
  const made = world.chain.bySlotOrder.filter(({ keys }) => keys.includes(MPL_CORE_PROGRAM_ID));
  expect(made).toHaveLength(1);
  expect(await db.begunAccount.findUnique({ where: { address } })).toMatchObject({
    outcome: 'landed',
  });
  expect((await db.collection.findUniqueOrThrow({ where: { address } })).holds).toBe('receipt');
});

test('what can no longer land is made anew, and only then', async () => {
  world.sends.dropNext = 1_000;
  const begun = collect('receipt');
  await expect.poll(() => db.begunAccount.count({ where: open() })).toBe(1);
  const first = await db.begunAccount.findFirstOrThrow({ where: open() });
  world.expire();
  await expect(begun).rejects.toThrow('was not taken up in time');
  world.sends.dropNext = 0;
  const { address } = await collect('receipt');
  expect(address).not.toBe(first.address);
  expect(await db.begunAccount.count({ where: open() })).toBe(0);
});

test('two runs at once make one collection', async () => {
  const [one, other] = await Promise.all([collect('statement'), collect('statement')]);
  expect(other.address).toBe(one.address);
});

test('a run that began before another one ended takes what that one made', async () => {
  const slow = makeChain();
  let first: string | null = null;
  // Between its look at what is begun and its own beginning, another run begins and ends.
  const rpc = {
    ...world.rpc,
    getLatestBlockhash: async () => {
      first ??= (await collect('receipt')).address;
      return world.rpc.getLatestBlockhash();
    },
  };
  expect((await collect('receipt', { ...slow, rpc, minter: world.minter })).address).toBe(first);
  expect(await db.collection.count({ where: { minter: world.minter.publicKey } })).toBe(1);
});

const open = () => ({ minter: world.minter.publicKey, outcome: null });
