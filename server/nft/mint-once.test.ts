import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Mint, PrismaClient } from '@/generated/prisma/client';
import { createTestDatabase, type TestDatabase } from '@/tests/harness/create-test-database';
import { claimMint } from './claim-mint';
import { findOpenAttempt } from './find-attempt';
import { lookAgain } from './look-again';
import { addMint, addTree, makeChain, START, type TestChain } from './minting.fixture';
import { markRedriven } from './mark-redriven';
import { mintsToRedrive } from './mints-to-redrive';
import { recordLeaf } from './record-leaf';
import { releaseMint } from './release-mint';
import { retryMint } from './retry-mint';
import { sendMint } from './send-mint';
import { settleMint } from './settle-mint';
import { signMint } from './sign-mint';

let database: TestDatabase;
let db: PrismaClient;
let world: TestChain;

beforeAll(async () => {
  database = await createTestDatabase();
  db = database.prisma;
});
afterAll(() => database.close());
beforeEach(async () => {
  await db.mintAttempt.deleteMany();
  await db.mint.deleteMany();
  await db.tree.deleteMany();
  world = makeChain();
});

const clock = { now: () => START };
const later = (ms: number) => new Date(START.getTime() + ms);

/** The steps of one worker on one mint, with what stays the same filled in. */
async function work(mint: Pick<Mint, 'id'>, owner = 'worker', now = START) {
  const claimed = await claimMint({ db, id: mint.id, owner, leaseMs: 60_000, now });
  if (!claimed) throw new Error(`${owner} could not claim ${mint.id}`);
  const { fence } = claimed;
  const shared = { db, rpc: world.rpc, id: mint.id, fence, now };
  const attempt = async () => {
    const open = await findOpenAttempt(db, mint.id);
    if (!open) throw new Error(`${mint.id} has no open attempt`);
    return open;
  };
  return {
    fence,
    sign: () =>
      signMint({
        ...shared,
        minter: world.minter,
        network: 'local',
        priorityFeeMicroLamports: 20_000,
      }),
    send: async () => sendMint({ ...shared, attempt: await attempt() }),
    settle: async (budgetMs = 0) =>
      settleMint({ ...shared, attempt: await attempt(), budgetMs, clock }),
    record: () => recordLeaf(shared),
    look: () => lookAgain(shared),
    release: () => releaseMint(shared),
  };
}

/** Signs, sends, settles and records, going back to signing where settling says so. */
async function mintFully(mint: Pick<Mint, 'id'>) {
  const worker = await work(mint);
  for (let round = 0; round < 5; round += 1) {
    const signed = await worker.sign();
    if (signed.state !== 'signed') return signed;
    await worker.send();
    let settled = await worker.settle();
    if (settled.state === 'in_flight') {
      world.finalize();
      settled = await worker.settle();
    }
    if (settled.state === 'landed') return worker.record();
    if (settled.state === 'failed' && settled.status === 'failed') return settled;
  }
  throw new Error('five rounds were not enough');
}

const rowOf = (mint: Pick<Mint, 'id'>) => db.mint.findUniqueOrThrow({ where: { id: mint.id } });
const attemptsOf = (mint: Pick<Mint, 'id'>) =>
  db.mintAttempt.findMany({ where: { mintId: mint.id }, orderBy: { number: 'asc' } });
const leavesOf = (mint: Mint) => world.leaves().filter((leaf) => leaf.owner === mint.owner);

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

  test('waits while no tree has room, and nothing is signed', async () => {
    const mint = await addMint(db);
    const worker = await work(mint);
    expect(await worker.sign()).toEqual({ state: 'waiting', reason: 'no tree has room' });
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

/** What a new worker does with a mint in whatever state it finds it. */
async function finish(mint: Mint): Promise<void> {
  for (let round = 0; round < 5; round += 1) {
    const { stage } = await rowOf(mint);
    const worker = await work(mint, `finisher ${round}`, later(61_000 * (round + 1)));
    if (stage === 'landed') await worker.record();
    else {
      if ((await worker.sign()).state !== 'signed') continue;
      await worker.send();
      const settled = await worker.settle();
      if (settled.state === 'landed') await worker.record();
    }
    await worker.release();
    if ((await rowOf(mint)).stage === 'recorded') return;
  }
}

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
    world.chain.advanceSlots(150);
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
    expect(await worker.settle()).toEqual({ state: 'in_flight' });
    second.down = false;
    second.lag = 20;
    expect(await worker.settle()).toEqual({ state: 'in_flight' });
    second.lag = 0;
    expect(await worker.settle()).toMatchObject({ state: 'expired' });
  });
});

describe('two workers', () => {
  test('only one of many that claim at once owns the mint', async () => {
    const mint = await addMint(db);
    const claims = await Promise.all(
      Array.from({ length: 10 }, (_, i) =>
        claimMint({ db, id: mint.id, owner: `worker ${i}`, leaseMs: 60_000, now: START }),
      ),
    );
    expect(claims.filter((claim) => claim !== null)).toHaveLength(1);
  });

  test('one that slept through its lease signs nothing, even when it had begun to', async () => {
    await addTree(world, db);
    const mint = await addMint(db);
    const slow = await work(mint, 'slow');
    const { getLatestBlockhash } = world.rpc;
    let taken: Awaited<ReturnType<typeof work>> | null = null;
    world.rpc.getLatestBlockhash = async () => {
      world.rpc.getLatestBlockhash = getLatestBlockhash;
      taken = await work(mint, 'quick', later(61_000));
      await taken.sign();
      return getLatestBlockhash();
    };
    expect(await slow.sign()).toEqual({ state: 'lost_lease' });
    expect(await attemptsOf(mint)).toHaveLength(1);
    expect(taken).not.toBeNull();
  });

  test('one that lost its lease writes no outcome', async () => {
    await addTree(world, db);
    const mint = await addMint(db);
    const slow = await work(mint, 'slow');
    await slow.sign();
    await slow.send();
    await work(mint, 'quick', later(61_000));
    expect(await slow.settle()).toEqual({ state: 'lost_lease' });
    expect(await rowOf(mint)).toMatchObject({ stage: 'signed' });
    expect(await attemptsOf(mint)).toMatchObject([{ outcome: null }]);
  });

  test('that sign at the same time store one transaction', async () => {
    await addTree(world, db);
    const mint = await addMint(db);
    const worker = await work(mint);
    await Promise.all(
      [worker.sign(), worker.sign(), worker.sign()].map((p) => p.catch(() => null)),
    );
    expect(await attemptsOf(mint)).toHaveLength(1);
  });
});

describe('a tree that fills', () => {
  test('is followed by the next oldest, and its refusal is not an attempt', async () => {
    const full = await addTree(world, db);
    const next = await addTree(world, db, 3, later(1_000));
    for (let i = 0; i < 8; i += 1) await mintFully(await addMint(db));
    // As if the rows had missed what the chain knows.
    await db.tree.update({ where: { address: full.address }, data: { minted: 0n } });
    const mint = await addMint(db);
    expect(await mintFully(mint)).toMatchObject({ state: 'recorded' });
    expect(await rowOf(mint)).toMatchObject({ tree: next.address, attempts: 0 });
    expect(await attemptsOf(mint)).toMatchObject([{ outcome: 'failed' }, { outcome: 'landed' }]);
    const row = await db.tree.findUniqueOrThrow({ where: { address: full.address } });
    expect(row.fullAt).not.toBeNull();
  });

  test('gets no more signed transactions than it has room for', async () => {
    await addTree(world, db);
    for (let i = 0; i < 8; i += 1)
      expect(await (await work(await addMint(db))).sign()).toMatchObject({ state: 'signed' });
    const worker = await work(await addMint(db));
    expect(await worker.sign()).toMatchObject({ state: 'waiting' });
  });
});

describe('a mint that the program refuses', () => {
  /** The tree's rights pass to another key, so every mint fails with 6016. */
  async function takeRights() {
    await db.tree.updateMany({ data: { capacity: 1_000n } });
    const { minter } = world;
    const other = makeChain().minter;
    world.minter = other;
    const account = world.chain.get(minter.publicKey);
    world.chain.set(other.publicKey, account);
  }

  test('is failed after the third time, and a retry by hand begins anew', async () => {
    await addTree(world, db);
    const rightful = world.minter;
    await takeRights();
    const mint = await addMint(db);
    expect(await mintFully(mint)).toMatchObject({ state: 'failed', status: 'failed' });
    expect(await rowOf(mint)).toMatchObject({ status: 'failed', attempts: 3 });
    expect((await rowOf(mint)).lastError).toContain('6016');
    expect((await attemptsOf(mint)).map((one) => one.outcome)).toEqual(Array(3).fill('failed'));
    expect(await (await work(mint)).sign()).toEqual({ state: 'lost_lease' });

    world.minter = rightful;
    const retry = { id: mint.id, actor: 'admin', now: later(1_000) };
    expect(await retryMint(db, retry)).toEqual({ state: 'retried', round: 1 });
    expect(await db.auditEntry.findMany({ where: { subject: mint.id } })).toMatchObject([
      { actor: 'admin', action: 'mint.retry' },
    ]);
    expect(await mintFully(mint)).toMatchObject({ state: 'recorded' });
    expect(await retryMint(db, retry)).toMatchObject({ state: 'refused' });
    expect(leavesOf(mint)).toHaveLength(1);
  });

  test('may not be signed again while its failure is not final', async () => {
    await addTree(world, db);
    await takeRights();
    const worker = await work(await addMint(db));
    await worker.sign();
    await worker.send();
    expect(await worker.settle()).toEqual({ state: 'in_flight' });
    world.finalize();
    expect(await worker.settle()).toMatchObject({ state: 'failed', status: 'pending' });
  });
});

describe('a mint that vanishes before it is final', () => {
  test('is opened again once it can no longer land, and minted again: one leaf', async () => {
    await addTree(world, db);
    const mint = await addMint(db);
    await mintFully(mint);
    const { mintSignature } = await rowOf(mint);
    world.sends.dropNext = 100;
    expect(world.vanish(mintSignature ?? '')).toBe(true);
    const worker = await work(mint);
    expect(await worker.look()).toEqual({ state: 'not_yet' });
    expect(await rowOf(mint)).toMatchObject({ status: 'completed' });
    world.expire();
    expect(await worker.look()).toEqual({ state: 'reopened' });
    expect(await rowOf(mint)).toMatchObject({
      status: 'pending',
      stage: 'metadata_stored',
      attempts: 0,
      mintSignature: null,
      assetId: null,
    });
    expect((await rowOf(mint)).lastError).toContain(mintSignature);
    world.sends.dropNext = 0;
    await mintFully(mint);
    world.finalize();
    expect(await (await work(mint)).look()).toEqual({ state: 'closed' });
    expect(leavesOf(mint)).toHaveLength(1);
  });

  test('comes back with the same bytes while they are good, without a second signature', async () => {
    await addTree(world, db);
    const mint = await addMint(db);
    await mintFully(mint);
    world.vanish((await rowOf(mint)).mintSignature ?? '');
    const worker = await work(mint);
    expect(await worker.look()).toEqual({ state: 'not_yet' });
    world.finalize();
    expect(await worker.look()).toEqual({ state: 'closed' });
    expect(leavesOf(mint)).toHaveLength(1);
    expect(await attemptsOf(mint)).toHaveLength(1);
  });

  test('before its leaf was read: it is opened again all the same', async () => {
    await addTree(world, db);
    const mint = await addMint(db);
    const worker = await work(mint);
    const signed = await worker.sign();
    await worker.send();
    await worker.settle();
    world.vanish(signed.state === 'signed' ? signed.attempt.signature : '');
    expect(await worker.record()).toMatchObject({ state: 'waiting' });
    world.expire();
    expect(await worker.record()).toEqual({ state: 'reopened' });
    expect(await mintFully(mint)).toMatchObject({ state: 'recorded' });
    expect(leavesOf(mint)).toHaveLength(1);
  });

  test('the others of its tree move up, and their rows follow once final', async () => {
    await addTree(world, db);
    const [gone, stays] = [await addMint(db), await addMint(db)];
    await mintFully(gone);
    await mintFully(stays);
    expect(await rowOf(stays)).toMatchObject({ leafIndex: 1n });
    world.vanish((await rowOf(gone)).mintSignature ?? '');
    world.finalize();
    expect(await (await work(stays)).look()).toEqual({ state: 'closed' });
    const [leaf] = leavesOf(stays);
    expect(leaf?.leafIndex).toBe(0n);
    expect(await rowOf(stays)).toMatchObject({ leafIndex: 0n, assetId: leaf?.assetId });
  });
});

describe('the sweep', () => {
  test('sees what is quiet and not final, at growing distances, each repeat once', async () => {
    await addTree(world, db);
    const [quiet, done, failed] = [await addMint(db), await addMint(db), await addMint(db)];
    await mintFully(done);
    world.finalize();
    await (await work(done)).look();
    await db.mint.update({ where: { id: failed.id }, data: { status: 'failed' } });
    expect(await mintsToRedrive(db, later(59_000), 10)).toEqual([]);
    const [stuck, ...others] = await mintsToRedrive(db, later(60_000), 10);
    expect(others).toEqual([]);
    expect(stuck?.id).toBe(quiet.id);
    let seen = { id: quiet.id, redrives: 0 };
    let now = later(60_000);
    for (const minutes of [1, 2, 4, 8, 16, 32, 60, 60]) {
      const rounds = await Promise.all([1, 2].map(() => markRedriven(db, seen, now)));
      expect(rounds.filter((round) => round !== null)).toEqual([seen.redrives + 1]);
      seen = { ...seen, redrives: seen.redrives + 1 };
      now = new Date(now.getTime() + minutes * 60_000);
      expect(await mintsToRedrive(db, new Date(now.getTime() - 1), 10)).toEqual([]);
      expect(await mintsToRedrive(db, now, 10)).toHaveLength(1);
    }
  });
});
