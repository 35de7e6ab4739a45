import { describe, expect, test } from 'vitest';
import type { PrismaClient } from '@/generated/prisma/client';
import { RpcRefused } from '@quittance/verify/chain/rpc-errors';
import { claimMint } from './mint-rows';
import { retryMint } from './retry-mint';
import { addMint, addTree, START, later, makeChain, type TestChain } from './minting.fixture';
import { makeWorkers, withoutMints } from './workers.fixture';

let db: PrismaClient;
let world: TestChain;

withoutMints((fresh) => {
  db = fresh;
  world = makeChain();
});

const { work, mintFully, rowOf, attemptsOf, leavesOf } = makeWorkers(() => ({ db, world }));

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

  test('one that lost its lease stores nothing that it signed, though the next has not signed yet', async () => {
    await addTree(world, db);
    const mint = await addMint(db);
    const slow = await work(mint, 'slow');
    await work(mint, 'quick', later(61_000));
    expect(await slow.sign()).toEqual({ state: 'lost_lease' });
    expect(await attemptsOf(mint)).toEqual([]);
    expect(await rowOf(mint)).toMatchObject({ stage: 'metadata_stored' });
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

  test('one that lost its lease records no leaf', async () => {
    await addTree(world, db);
    const mint = await addMint(db);
    const slow = await work(mint, 'slow');
    await slow.sign();
    await slow.send();
    await slow.settle();
    await work(mint, 'quick', later(61_000));
    expect(await slow.record()).toEqual({ state: 'lost_lease' });
    expect(await rowOf(mint)).toMatchObject({ stage: 'landed', assetId: null });
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

test('a minter without money makes mints wait, counts nothing, and they go on once it has some', async () => {
  await addTree(world, db);
  const mint = await addMint(db);
  const { publicKey } = world.minter;
  const account = world.chain.get(publicKey);
  if (!account) throw new Error('the minter has an account');
  world.chain.set(publicKey, { ...account, lamports: 0n });
  const worker = await work(mint);
  for (let round = 0; round < 4; round += 1) {
    await worker.sign();
    expect(await worker.send()).toEqual({ state: 'waiting', reason: expect.stringMatching(/SOL/) });
    world.expire();
    expect(await worker.settle()).toMatchObject({ state: 'expired', status: 'pending' });
  }
  const row = await rowOf(mint);
  expect([row.status, row.attempts, row.lastError]).toEqual([
    'pending',
    0,
    expect.stringMatching(/SOL/),
  ]);
  world.chain.set(publicKey, account);
  await mintFully(mint);
  expect(leavesOf(mint)).toHaveLength(1);
});

describe('a minter without money', () => {
  async function emptied() {
    await addTree(world, db);
    const mint = await addMint(db);
    const { publicKey } = world.minter;
    const account = world.chain.get(publicKey);
    if (!account) throw new Error('the minter has an account');
    const hold = (lamports: bigint) => world.chain.set(publicKey, { ...account, lamports });
    return { mint, worker: await work(mint), hold, full: account.lamports };
  }
  /** The nodes forget the blockhash and wait for the same bytes. */
  const pastUse = () => world.chain.advanceSlots(152);

  test('costs no attempt when the blockhash runs out while it waits, though it has money by then', async () => {
    const { mint, worker, hold, full } = await emptied();
    for (let round = 0; round < 4; round += 1) {
      hold(0n);
      await worker.sign();
      expect(await worker.send()).toMatchObject({ state: 'waiting' });
      pastUse();
      hold(full);
      expect(await worker.send()).toEqual({ state: 'sent' });
      world.expire();
      expect(await worker.settle()).toMatchObject({ state: 'expired', status: 'pending' });
    }
    expect(await rowOf(mint)).toMatchObject({ status: 'pending', attempts: 0 });
  });

  test('costs none when no node tried it out, and none when it has the fee and not the price', async () => {
    const { mint, worker, hold, full } = await emptied();
    for (const lamports of [0n, 50_000n]) {
      await worker.sign();
      pastUse();
      expect(await worker.send()).toEqual({ state: 'sent' });
      hold(lamports);
      world.expire();
      expect(await worker.settle()).toMatchObject({ state: 'expired', status: 'pending' });
      expect(await rowOf(mint)).toMatchObject({
        attempts: 0,
        lastError: expect.stringMatching(/SOL/),
      });
      hold(full);
    }
    // With money, the same is an attempt.
    await worker.sign();
    pastUse();
    await worker.send();
    world.expire();
    expect(await worker.settle()).toMatchObject({ state: 'expired' });
    expect(await rowOf(mint)).toMatchObject({ attempts: 1 });
  });
});

test('the database itself takes no second transaction beside one that is open or landed', async () => {
  await addTree(world, db);
  const mint = await addMint(db);
  await (await work(mint)).sign();
  const [first] = await attemptsOf(mint);
  if (!first) throw new Error('nothing was signed');
  const second = { ...first, id: first.id + 1_000n, number: 2, signature: 'another' };
  for (const outcome of [null, 'landed'] as const) {
    await db.mintAttempt.updateMany({ data: { outcome } });
    await expect(db.mintAttempt.create({ data: second })).rejects.toThrow(/[Uu]nique constraint/);
  }
  await db.mintAttempt.updateMany({ data: { outcome: 'expired' } });
  await db.mintAttempt.create({ data: second });
});

describe('a tree that fills', () => {
  test('is followed by the next oldest, and its refusal is not an attempt', async () => {
    const full = await addTree(world, db);
    const next = await addTree(world, db, 3, later(1_000));
    for (let i = 0; i < 8; i += 1) await mintFully(await addMint(db));
    // As if the rows had missed a change on chain.
    await db.tree.update({ where: { address: full.address }, data: { minted: 0n } });
    const mint = await addMint(db);
    expect(await mintFully(mint)).toMatchObject({ state: 'recorded' });
    expect(await rowOf(mint)).toMatchObject({ tree: next.address, attempts: 0 });
    expect(await attemptsOf(mint)).toMatchObject([{ outcome: 'failed' }, { outcome: 'landed' }]);
    const row = await db.tree.findUniqueOrThrow({ where: { address: full.address } });
    expect(row.fullAt).not.toBeNull();
  });

  test('is not closed by a node that says so alone: its own account must show it, to two nodes', async () => {
    world = makeChain(2);
    const { address } = await addTree(world, db);
    const err = { InstructionError: [0, { Custom: 6017 }] };
    const { sendTransaction, onNode } = world.rpc;
    const lie = (data: unknown) => new RpcRefused('sendTransaction', -32002, 'preflight', data);
    world.rpc.sendTransaction = async (wire, o) => {
      if (!o.skipPreflight) throw lie({ err });
      return sendTransaction(wire, o);
    };
    const fullAt = async () => (await db.tree.findUniqueOrThrow({ where: { address } })).fullAt;
    const worker = await work(await addMint(db));
    await worker.sign();
    expect(await worker.send()).toMatchObject({ state: 'refused', code: 6017 });
    expect(await fullAt()).toBeNull();
    // Past the check it was sent all the same.
    expect(await worker.settle()).toMatchObject({ state: 'landed' });
    world.rpc.sendTransaction = sendTransaction;
    for (let i = 0; i < 7; i += 1) await mintFully(await addMint(db));
    await db.tree.updateMany({ data: { minted: 0n } });
    // One of two nodes does not know that it is full.
    world.rpc.onNode = (index) => ({
      ...onNode(index),
      ...(index === 1 && { getAccountInfo: async () => null }),
    });
    const next = await work(await addMint(db));
    await next.sign();
    expect(await next.send()).toMatchObject({ state: 'refused', code: 6017 });
    expect(await fullAt()).toBeNull();
    world.rpc.onNode = onNode;
    const last = await work(await addMint(db));
    await last.sign();
    expect(await last.send()).toMatchObject({ state: 'refused', code: 6017 });
    expect(await fullAt()).not.toBeNull();
  });

  test('gets no more signed transactions than it has space for', async () => {
    await addTree(world, db);
    for (let i = 0; i < 8; i += 1)
      expect(await (await work(await addMint(db))).sign()).toMatchObject({ state: 'signed' });
    const worker = await work(await addMint(db));
    expect(await worker.sign()).toMatchObject({ state: 'waiting' });
  });
});

test('under another minter key a mint waits for a tree that takes mints from it', async () => {
  await addTree(world, db);
  const mint = await addMint(db);
  world.minter = makeChain().minter;
  expect(await (await work(mint)).sign()).toEqual({
    state: 'waiting',
    reason: 'no tree of this minter has space',
  });
  expect(await rowOf(mint)).toMatchObject({ status: 'pending', attempts: 0 });
});

describe('a mint that the program refuses', () => {
  /** The tree is said to take mints from a key that it does not know, so every mint fails with 6016. */
  async function takeRights() {
    const { minter } = world;
    const other = makeChain().minter;
    world.minter = other;
    const account = world.chain.get(minter.publicKey);
    world.chain.set(other.publicKey, account);
    await db.tree.updateMany({ data: { capacity: 1_000n, minter: other.publicKey } });
  }

  test('is failed after the third time, and a manual retry starts again', async () => {
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
    await db.tree.updateMany({ data: { minter: rightful.publicKey } });
    const retry = { id: mint.id, actor: 'admin', now: later(1_000) };
    expect(await retryMint(db, retry)).toEqual({ state: 'retried', paid: false, round: 1 });
    expect(await db.auditEntry.findMany({ where: { subject: mint.id } })).toMatchObject([
      { actor: 'admin', action: 'mint.retry' },
    ]);
    expect(await mintFully(mint)).toMatchObject({ state: 'recorded' });
    expect(await retryMint(db, retry)).toEqual({
      state: 'refused',
      reason: 'the mint is completed, not failed',
    });
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
