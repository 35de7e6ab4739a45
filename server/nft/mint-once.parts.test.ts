import { describe, expect, test } from 'vitest';
import type { PrismaClient } from '@/generated/prisma/client';
import { runningTotals } from '@/server/admin/read-metrics';
import { addMint, addTree, START, later, makeChain, type TestChain } from './minting.fixture';
import { makeWorkers, withoutMints } from './workers.fixture';

let db: PrismaClient;
let world: TestChain;

withoutMints((fresh) => {
  db = fresh;
  world = makeChain();
});

const { work, mintFully, finish, rowOf, attemptsOf, leavesOf } = makeWorkers(() => ({ db, world }));

/** The totals for receipts. */
async function countedCost(): Promise<{ lamports: bigint; mints: bigint }> {
  const totals = await runningTotals(db);
  const of = (name: string) =>
    totals.find((total) => total.name === name && total.label === 'receipt')?.amount ?? 0n;
  return { lamports: of('mint_cost'), mints: of('mint_costed') };
}

describe('a mint that goes well', () => {
  test('gives one immutable NFT of the minter to its owner, and the row names it', async () => {
    const tree = await addTree(world, db);
    const mint = await addMint(db);
    expect(await mintFully(mint)).toMatchObject({ state: 'recorded' });
    const [leaf, ...others] = leavesOf(mint);
    expect(others).toEqual([]);
    expect(leaf).toMatchObject({
      tree: tree.address,
      treeAuthority: world.minter.publicKey,
      metadata: {
        name: mint.name,
        uri: mint.metadataUri,
        isMutable: false,
        creators: [{ address: world.minter.publicKey, verified: true, share: 100 }],
      },
    });
    expect(await rowOf(mint)).toMatchObject({
      status: 'completed',
      stage: 'recorded',
      attempts: 0,
      lastError: null,
      mintSignature: leaf?.signature,
      tree: tree.address,
      leafIndex: 0n,
      assetId: leaf?.assetId,
      completedAt: START,
      finalAt: null,
    });
    expect(await db.tree.findFirst()).toMatchObject({ minted: 1n });
  });

  test('is closed once final, and not before', async () => {
    await addTree(world, db);
    const mint = await addMint(db);
    await mintFully(mint);
    const worker = await work(mint);
    expect(await worker.look()).toEqual({ state: 'not_yet' });
    world.finalize();
    expect(await worker.look()).toEqual({ state: 'closed' });
    expect(await rowOf(mint)).toMatchObject({ stage: 'closed', finalAt: START });
    expect(await worker.look()).toEqual({ state: 'closed' });
  });

  test('costs what the chain took from the minter, on record and counted once when it is final', async () => {
    await addTree(world, db);
    const earlier = await countedCost();
    const mint = await addMint(db);
    const before = await world.rpc.getBalance(world.minter.publicKey);
    await mintFully(mint);
    const cost = before - (await world.rpc.getBalance(world.minter.publicKey));
    expect(cost).toBeGreaterThan(90_000n);
    expect(await attemptsOf(mint)).toMatchObject([{ costLamports: null }]);
    world.finalize();
    await (await work(mint)).look();
    await (await work(mint)).look();
    expect(await attemptsOf(mint)).toMatchObject([{ costLamports: cost }]);
    const counted = await countedCost();
    expect(counted.lamports - earlier.lamports).toBe(cost);
    expect(counted.mints - earlier.mints).toBe(1n);
  });

  test('has its signature on record before a byte of it leaves', async () => {
    await addTree(world, db);
    const mint = await addMint(db);
    const { sendTransaction } = world.rpc;
    const onRecord = new Array<number>();
    world.rpc.sendTransaction = async (wire, o) => {
      const where = { mintId: mint.id, wire: Buffer.from(wire, 'base64') };
      onRecord.push(await db.mintAttempt.count({ where }));
      return sendTransaction(wire, o);
    };
    expect(await mintFully(mint)).toMatchObject({ state: 'recorded' });
    expect(onRecord).toEqual([1]);
  });

  test('waits while no tree has space, and nothing is signed', async () => {
    const mint = await addMint(db);
    const worker = await work(mint);
    expect(await worker.sign()).toEqual({
      state: 'waiting',
      reason: 'no tree of this minter has space',
    });
    expect(await attemptsOf(mint)).toEqual([]);
  });
});

describe('a worker that dies', () => {
  test('after signing: the next one sends the same bytes', async () => {
    await addTree(world, db);
    const mint = await addMint(db);
    const first = await (await work(mint)).sign();
    const next = await work(mint, 'next', later(61_000));
    expect(await next.sign()).toEqual(first);
    await next.send();
    await next.settle();
    await next.record();
    expect(leavesOf(mint)).toHaveLength(1);
    expect(await attemptsOf(mint)).toHaveLength(1);
  });

  test('after sending, before it noted so: the next one finds the NFT and mints no second', async () => {
    await addTree(world, db);
    const mint = await addMint(db);
    const signed = await (await work(mint)).sign();
    if (signed.state !== 'signed') throw new Error('not signed');
    world.chain.send(signed.attempt.wire);
    const next = await work(mint, 'next', later(61_000));
    await next.sign();
    expect(await next.send()).toEqual({ state: 'sent' });
    expect(await next.settle()).toMatchObject({ state: 'landed' });
    expect(await next.record()).toMatchObject({ state: 'recorded' });
    expect(leavesOf(mint)).toHaveLength(1);
  });

  test('at any step of many tries, with the chain moving on in between: one NFT in the end', async () => {
    await addTree(world, db, 5);
    for (let stopAfter = 0; stopAfter < 4; stopAfter += 1) {
      for (const between of [() => undefined, () => world.expire()]) {
        const mint = await addMint(db);
        const dying = await work(mint, 'dying');
        const steps = [dying.sign, dying.send, dying.settle, dying.record];
        for (const step of steps.slice(0, stopAfter + 1)) await step();
        between();
        await db.mint.update({ where: { id: mint.id }, data: { leaseOwner: null } });
        if ((await rowOf(mint)).stage !== 'recorded') await finish(mint);
        expect(leavesOf(mint), `stopped after step ${stopAfter}`).toHaveLength(1);
        expect(await rowOf(mint)).toMatchObject({ status: 'completed' });
      }
    }
  });
});

describe('a send that goes wrong', () => {
  test('a lost send is repeated with the same bytes while settling', async () => {
    await addTree(world, db);
    const mint = await addMint(db);
    const worker = await work(mint);
    await worker.sign();
    world.sends.dropNext = 1;
    await worker.send();
    expect(await worker.settle(1_000)).toMatchObject({ state: 'landed' });
    expect(new Set(world.sends.wires.slice(1)).size).toBe(1);
    expect(await attemptsOf(mint)).toHaveLength(1);
  });

  test('an answer lost after the node took it is waiting, not an attempt', async () => {
    await addTree(world, db);
    const mint = await addMint(db);
    const worker = await work(mint);
    await worker.sign();
    world.sends.loseAnswers = 1;
    expect(await worker.send()).toMatchObject({ state: 'waiting' });
    expect(await worker.settle()).toMatchObject({ state: 'landed' });
    expect(await rowOf(mint)).toMatchObject({ attempts: 0 });
    expect(leavesOf(mint)).toHaveLength(1);
  });

  test('nothing new is signed until the old bytes can no longer land; then exactly one leaf', async () => {
    await addTree(world, db);
    const mint = await addMint(db);
    const worker = await work(mint);
    const first = await worker.sign();
    world.sends.dropNext = 100;
    await worker.send();
    // Past the last valid height, but a block that is not final yet may hold them.
    world.chain.advanceSlots(155);
    expect(await worker.settle()).toEqual({ state: 'in_flight' });
    expect(await worker.sign()).toMatchObject({ attempt: { number: 1 } });
    world.expire();
    expect(await worker.settle()).toMatchObject({ state: 'expired', status: 'pending' });
    world.sends.dropNext = 0;
    expect(await rowOf(mint)).toMatchObject({ attempts: 1, stage: 'metadata_stored' });

    const second = await worker.sign();
    if (first.state !== 'signed' || second.state !== 'signed') throw new Error('not signed');
    expect(second.attempt.signature).not.toBe(first.attempt.signature);
    await worker.send();
    world.chain.send(first.attempt.wire, { skipPreflight: true });
    await worker.settle();
    await worker.record();
    expect(leavesOf(mint)).toHaveLength(1);
    expect((await attemptsOf(mint)).map((one) => one.outcome)).toEqual(['expired', 'landed']);
  });

  test('bytes that land at the last moment, while we ask, are not taken for expired', async () => {
    await addTree(world, db);
    const mint = await addMint(db);
    const worker = await work(mint);
    const signed = await worker.sign();
    if (signed.state !== 'signed') throw new Error('not signed');
    const { onNode } = world.rpc;
    world.rpc.onNode = (index) => ({
      ...onNode(index),
      getFinalizedTip: () => {
        world.chain.send(signed.attempt.wire, { skipPreflight: true });
        world.expire();
        return onNode(index).getFinalizedTip();
      },
    });
    expect(await worker.settle()).toMatchObject({ state: 'landed' });
  });

  test('a machine behind the one that reported the height proves no expiry by lacking the transaction', async () => {
    await addTree(world, db);
    const mint = await addMint(db);
    const worker = await work(mint);
    await worker.sign();
    const before = BigInt(world.chain.slot());
    world.expire();
    const { onNode } = world.rpc;
    world.rpc.onNode = (index) => ({
      ...onNode(index),
      seeSignature: async () => ({ status: null, slot: before }),
    });
    expect(await worker.settle()).toEqual({ state: 'in_flight' });
    world.rpc.onNode = onNode;
    expect(await worker.settle()).toMatchObject({ state: 'expired' });
  });

  test('a node that is down is waiting, not an attempt and not an expiry', async () => {
    await addTree(world, db);
    const mint = await addMint(db);
    const worker = await work(mint);
    await worker.sign();
    world.expire();
    for (const mood of world.moods) mood.down = true;
    expect(await worker.send()).toMatchObject({ state: 'waiting' });
    expect(await worker.settle()).toMatchObject({ state: 'waiting' });
    expect(await rowOf(mint)).toMatchObject({ attempts: 0, stage: 'signed' });
  });
});

describe('several nodes', () => {
  test('one that does not know the mint cannot make us sign again', async () => {
    world = makeChain(2);
    await addTree(world, db);
    const mint = await addMint(db);
    const worker = await work(mint);
    await worker.sign();
    await worker.send();
    world.expire();
    for (const mood of world.moods) mood.blind = true;
    for (const mood of world.moods) {
      mood.blind = false;
      expect(await worker.settle()).toMatchObject({ state: 'landed' });
      await db.mint.update({ where: { id: mint.id }, data: { stage: 'signed' } });
      await db.mintAttempt.updateMany({ data: { outcome: null } });
      mood.blind = true;
    }
  });

  test('an expiry needs two: with the other one down or behind, nothing is decided', async () => {
    world = makeChain(2);
    await addTree(world, db);
    const mint = await addMint(db);
    const worker = await work(mint);
    await worker.sign();
    world.expire();
    const [first, second] = world.moods;
    if (!first || !second) throw new Error('there are two nodes');
    second.down = true;
    expect(await worker.settle()).toMatchObject({ state: 'undecided' });
    expect(await rowOf(mint)).toMatchObject({ attempts: 0, stage: 'signed' });
    second.down = false;
    second.lag = 20;
    expect(await worker.settle()).toEqual({ state: 'in_flight' });
    second.lag = 0;
    expect(await worker.settle()).toMatchObject({ state: 'expired' });
  });
});
