import { getMerkleTreeSize } from '@metaplex-foundation/mpl-account-compression';
import { expect, test } from 'vitest';
import type { PrismaClient } from '@/generated/prisma/client';
import { addTree, later, makeChain, START, type TestChain } from './minting.fixture';
import { canopyOf, planTree, priceTree } from './plan-tree';
import { pickTree, registerTree, syncTree, treeSpace } from './trees';
import { withoutMints } from './workers.fixture';

let db: PrismaClient;
let world: TestChain;

withoutMints((fresh) => {
  db = fresh;
  world = makeChain();
});

test('a plan has the size that the compression library computes, and returns its canopy', () => {
  for (const [depth, buffer, canopy] of [
    [3, 8, 0],
    [14, 64, 8],
    [17, 64, 10],
    [20, 64, 13],
    [24, 1024, 12],
  ] as const) {
    const planning = planTree({ depth, buffer, canopy });
    if (!planning.ok) throw new Error(planning.reason);
    const { bytes, capacity } = planning.plan;
    expect(bytes).toBe(getMerkleTreeSize(depth, buffer, canopy));
    expect(capacity).toBe(2n ** BigInt(depth));
    expect(canopyOf({ depth, buffer, bytes })).toBe(canopy);
    expect(canopyOf({ depth, buffer, bytes: bytes + 8 })).toBeNull();
  }
});

test.each([
  [{ depth: 4, buffer: 8, canopy: 0 }, /depth 4 is not offered/],
  [{ depth: NaN, buffer: 8, canopy: 0 }, /not offered/],
  [{ depth: 14, buffer: 8, canopy: 0 }, /needs a buffer of 64 or 256/],
  [{ depth: 20, buffer: 256, canopy: 2 }, /canopy from 3 to 20/],
  [{ depth: 14, buffer: 64, canopy: 1.5 }, /canopy from 0 to 14/],
  [{ depth: 30, buffer: 2048, canopy: 20 }, /over the 10485760 of an account/],
])('a tree that the programs would refuse is refused before anything is spent: %o', (o, reason) => {
  expect(planTree(o)).toEqual({ ok: false, reason: expect.stringMatching(reason) });
});

test('a tree costs what the price says, and its row says what the chain says', async () => {
  const planning = planTree({ depth: 3, buffer: 8, canopy: 0 });
  if (!planning.ok) throw new Error(planning.reason);
  const { totalLamports } = await priceTree(world.rpc, planning.plan);
  const before = await world.rpc.getBalance(world.minter.publicKey);
  const tree = await addTree(world, db);
  expect(before - (await world.rpc.getBalance(world.minter.publicKey))).toBe(totalLamports);
  expect(tree).toMatchObject({
    network: 'local',
    creator: world.minter.publicKey,
    maxDepth: 3,
    maxBufferSize: 8,
    canopyDepth: 0,
    capacity: 8n,
    minted: 0n,
    fullAt: null,
  });
  expect(await treeSpace(db, ours())).toEqual({ capacity: 8n, left: 8n, trees: 1 });
});

test('a tree of someone else, or no tree at all, is not put on record', async () => {
  const { address } = await addTree(world, db);
  await db.tree.deleteMany();
  const shared = { db, rpc: world.rpc, network: 'local', now: START } as const;
  const stranger = makeChain().minter.publicKey;
  await expect(registerTree({ ...shared, address, minter: stranger })).rejects.toThrow(
    'takes mints from',
  );
  const minter = world.minter.publicKey;
  await expect(registerTree({ ...shared, address: minter, minter })).rejects.toThrow('no tree');
  expect(await db.tree.count()).toBe(0);
  await registerTree({ ...shared, address, minter });
  await registerTree({ ...shared, address, minter });
  expect(await db.tree.count()).toBe(1);
});

const ours = () => ({ network: 'local', minter: world.minter.publicKey }) as const;

test('leaves go to the oldest tree of the network that takes our mints and is neither full nor retired', async () => {
  const oldest = await addTree(world, db);
  const next = await addTree(world, db, 3, later(1));
  const third = await addTree(world, db, 3, later(2));
  await db.tree.update({ where: { address: oldest.address }, data: { network: 'devnet' } });
  expect((await pickTree(db, ours()))?.address).toBe(next.address);
  await db.tree.update({ where: { address: next.address }, data: { retiredAt: START } });
  expect((await pickTree(db, ours()))?.address).toBe(third.address);
  expect(await pickTree(db, { ...ours(), minter: next.address })).toBeNull();
  await db.tree.update({ where: { address: third.address }, data: { fullAt: START } });
  expect(await pickTree(db, ours())).toBeNull();
  expect((await treeSpace(db, ours())).left).toBe(0n);
});

test('trees with space share the load: a mint under way sends the next one to another tree', async () => {
  const [one, other] = [await addTree(world, db), await addTree(world, db, 3, later(1))];
  expect((await pickTree(db, ours()))?.address).toBe(one.address);
  await db.mint.create({
    data: {
      id: 'UNDERWAY0000',
      kind: 'receipt',
      owner: 'o',
      name: 'n',
      metadataUri: 'u',
      metadataItemId: 'm',
      imageItemId: 'i',
      redriveAt: START,
      createdAt: START,
      updatedAt: START,
      tries: {
        create: {
          number: 1,
          tree: one.address,
          signature: 's',
          wire: new Uint8Array(1),
          lastValidBlockHeight: 1n,
          createdAt: START,
        },
      },
    },
  });
  expect((await pickTree(db, ours()))?.address).toBe(other.address);
  await db.tree.update({ where: { address: other.address }, data: { fullAt: START } });
  expect((await pickTree(db, ours()))?.address).toBe(one.address);
});

test('counting from the chain corrects a row that is wrong', async () => {
  const { address } = await addTree(world, db);
  await db.tree.update({ where: { address }, data: { minted: 8n, fullAt: START } });
  expect(await syncTree({ db, rpc: world.rpc, address, now: START })).toBe(0n);
  expect(await db.tree.findFirst()).toMatchObject({ minted: 0n, fullAt: null });
});
