import {
  getCurrentRoot,
  getMerkleTreeAccountDataSerializer,
} from '@metaplex-foundation/mpl-account-compression';
import { burnV2, transferV2 } from '@metaplex-foundation/mpl-bubblegum';
import {
  getCreateCollectionV2InstructionDataSerializer,
  MPL_CORE_PROGRAM_ID,
} from '@metaplex-foundation/mpl-core';
import { generateSigner, publicKey } from '@metaplex-foundation/umi';
import bs58 from 'bs58';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Mint, PrismaClient } from '@/generated/prisma/client';
import { createTestDatabase, type TestDatabase } from '@/tests/harness/create-test-database';
import { readCollectionKind } from '@/server/admin/rebuild';
import { buildCollection, createCollection } from './create-collection';
import {
  type CollectionContents,
  missingCollections,
  pickCollection,
  priceCollection,
  restoreCollection,
} from './collections';
import { collectionHashOf, type LeafEvent } from '@quittance/verify/nft/leaf';
import type { SecretKey } from '@/server/env';
import { makeEmbeddedKey, publicKeyOf } from '@/server/keys';
import { addMint, addTree, later, makeChain, START, type TestChain } from './minting.fixture';
import { offlineUmi, signerOf, signTransaction } from './offline-umi';
import { readLeaf } from './read-leaf';
import { makeWorkers } from './workers.fixture';

let database: TestDatabase;
let db: PrismaClient;
let world: TestChain;
let frozenReceipts = false;

beforeAll(async () => {
  database = await createTestDatabase();
  db = database.prisma;
});
afterAll(() => database.close());
beforeEach(() => {
  world = makeChain();
  frozenReceipts = false;
});

const { work, mintFully, rowOf, leavesOf, attemptsOf } = makeWorkers(() => ({
  db,
  world,
  frozenReceipts,
}));

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

const ownerOf = ({ minter }: TestChain) => ({
  network: 'local' as const,
  minter: minter.publicKey,
});

/** Creates missing collections, like tree:create. */
const collect = (holds: CollectionContents, at: TestChain = world) =>
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
  const owner = { ...ownerOf(world), frozenReceipts: false };
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
  const owner = { ...ownerOf(world), frozenReceipts: false };
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

test('a collection that an earlier run began is finished, not made again', async () => {
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

test('a collection is made again only when the first one can no longer land', async () => {
  world.sends.dropNext = 1_000;
  const begun = collect('receipt');
  await expect.poll(() => db.begunAccount.count({ where: open() })).toBe(1);
  const first = await db.begunAccount.findFirstOrThrow({ where: open() });
  world.expire();
  await expect(begun).rejects.toThrow('did not land in time');
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
  // Between its check for a begun one and its own start, another run begins and ends.
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

describe('a frozen collection', () => {
  test('is made only where the setting is on, at the price that was named, and is on record', async () => {
    await collect('receipt');
    await collect('statement');
    const wanted = (on: boolean) =>
      missingCollections(db, { ...ownerOf(world), frozenReceipts: on });
    expect(await wanted(false)).toEqual([]);
    expect(await wanted(true)).toEqual(['frozen_receipt']);
    const price = await priceCollection(
      world.rpc,
      {
        name: 'quittance frozen_receipts',
        uri: 'https://quittance.test/.well-known/quittance.json',
      },
      'frozen_receipt',
    );
    const before = await world.rpc.getBalance(world.minter.publicKey);
    const { address, kind, holds } = await collect('frozen_receipt');
    expect({ kind, holds }).toEqual({ kind: 'frozen', holds: 'receipt' });
    expect(before - (await world.rpc.getBalance(world.minter.publicKey))).toBe(price);
    expect(await wanted(true)).toEqual([]);
    expect(await readCollectionKind(world.rpc, address)).toBe('frozen');
  });

  test('holds receipts that the payer asked for, while the setting is on, and nothing else', async () => {
    await addTree(world, db, 5);
    const standard = (await collect('receipt')).address;
    const statements = (await collect('statement')).address;
    const frozen = (await collect('frozen_receipt')).address;
    const mintedInto = async (on: boolean, fields: Partial<Mint>) => {
      frozenReceipts = on;
      const mint = await addMint(db, fields);
      await mintFully(mint);
      return (await rowOf(mint)).collection;
    };
    expect(await mintedInto(true, { askedByPayer: true })).toBe(frozen);
    expect(await mintedInto(true, { askedByPayer: false })).toBe(standard);
    expect(await mintedInto(true, { kind: 'statement', askedByPayer: true })).toBe(statements);
    expect(await mintedInto(false, { askedByPayer: true })).toBe(standard);
  });

  test('its receipts go into the standard one while there is none', async () => {
    const { address } = await collect('receipt');
    const mint = { kind: 'receipt' as const, askedByPayer: true };
    const picked = await pickCollection(db, { ...ownerOf(world), mint, frozenReceipts: true });
    expect(picked).toEqual({ address });
  });

  test('that only the chain knows is restored as frozen, and takes no other receipts', async () => {
    await addTree(world, db);
    const standard = (await collect('receipt')).address;
    const { address } = await collect('frozen_receipt');
    frozenReceipts = true;
    const mint = await addMint(db, { askedByPayer: true });
    await mintFully(mint);
    const [leaf] = leavesOf(mint);
    if (!leaf) throw new Error('there is no leaf');
    await db.collection.delete({ where: { address } });
    const back = {
      leaf,
      network: 'local' as const,
      holds: 'receipt' as const,
      mintedAt: later(60_000),
      readKind: (one: string) => readCollectionKind(world.rpc, one),
    };
    expect(await restoreCollection(db, back)).toBe(true);
    expect(await db.collection.findUnique({ where: { address } })).toMatchObject({
      kind: 'frozen',
      holds: 'receipt',
    });
    const other = { kind: 'receipt' as const, askedByPayer: false };
    const picked = await pickCollection(db, { ...ownerOf(world), mint: other, frozenReceipts });
    expect(picked).toEqual({ address: standard });
    world.chain.set(address, null);
    await db.collection.delete({ where: { address } });
    await expect(restoreCollection(db, back)).rejects.toThrow('no node shows the collection');
  });

  test.each(['transfer', 'burn'] as const)(
    'its items know no %s by their holder, those of a standard one do',
    async (act) => {
      await addTree(world, db);
      await collect('receipt');
      await collect('frozen_receipt');
      frozenReceipts = true;
      const holder = await fundedHolder();
      const tryWith = async (askedByPayer: boolean) => {
        const mint = await addMint(db, { owner: holder.publicKey, askedByPayer });
        await mintFully(mint);
        const leaf = leavesOf(mint).find(({ metadata }) => metadata.name === mint.name);
        if (!leaf?.collection) throw new Error('there is no leaf in a collection');
        return world.chain.send(await changeLeaf(act, holder, leaf), { skipPreflight: true });
      };
      const errorOf = (signature: string) => world.chain.txs.get(signature)?.meta.err;
      expect(errorOf(await tryWith(false))).toBeNull();
      expect(errorOf(await tryWith(true))).toEqual({ InstructionError: [0, { Custom: 6048 }] });
    },
  );
});

async function fundedHolder() {
  const secret = makeEmbeddedKey();
  const holder = { secret, publicKey: publicKeyOf(secret) };
  const account = world.chain.get(world.minter.publicKey);
  if (account) world.chain.set(holder.publicKey, { ...account, lamports: 1_000_000_000n });
  return holder;
}

/** A holder's own transaction for the newest leaf of its tree, with the neighbours that the tree keeps. */
async function changeLeaf(
  act: 'transfer' | 'burn',
  holder: SecretKey,
  leaf: LeafEvent,
): Promise<Uint8Array> {
  const umi = offlineUmi();
  const data = world.chain.get(leaf.tree)?.data ?? new Uint8Array();
  const [{ tree }] = getMerkleTreeAccountDataSerializer().deserialize(data);
  const signer = signerOf(holder);
  const parts = {
    payer: signer,
    authority: signer,
    leafOwner: signer.publicKey,
    merkleTree: publicKey(leaf.tree),
    coreCollection: publicKey(leaf.collection ?? ''),
    root: getCurrentRoot(tree),
    dataHash: bs58.decode(leaf.dataHash),
    creatorHash: bs58.decode(leaf.creatorHash),
    nonce: leaf.nonce,
    index: Number(leaf.leafIndex),
    proof: tree.rightMostPath.proof,
  };
  const builder =
    act === 'burn'
      ? burnV2(umi, parts)
      : transferV2(umi, { ...parts, newLeafOwner: publicKey(world.minter.publicKey) });
  return (await signTransaction(builder, signer, await world.rpc.getLatestBlockhash())).wire;
}

const open = () => ({ minter: world.minter.publicKey, outcome: null });
