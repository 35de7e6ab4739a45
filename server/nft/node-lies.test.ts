import { describe, expect, test } from 'vitest';
import type { PrismaClient } from '@/generated/prisma/client';
import { closeUndecided } from '@/server/chain/undecided-transactions';
import { addMint, addTree, later, makeChain, type TestChain } from './minting.fixture';
import { makeWorkers, withoutMints } from './workers.fixture';

let db: PrismaClient;
let world: TestChain;

withoutMints((fresh) => {
  db = fresh;
});

const { work, leavesOf } = makeWorkers(() => ({ db, world }));

describe.each([2, 3])('one of %i nodes that reports a height far above the others', (nodes) => {
  const HUGE = 5_000_000n;

  test('hides neither a mint under way nor its landing', async () => {
    world = makeChain(nodes);
    await addTree(world, db);
    const mint = await addMint(db);
    const worker = await work(mint);
    await worker.sign();
    const [liar] = world.moods;
    if (!liar) throw new Error('there is a first node');
    Object.assign(liar, { tipAhead: HUGE, blind: true });
    world.sends.dropNext = 1;
    await worker.send();
    expect(await worker.settle()).toMatchObject({ state: 'in_flight' });
    await worker.send();
    expect(await worker.settle()).toMatchObject({ state: 'landed' });
    expect(await db.undecidedTransaction.count()).toBe(0);
    expect(await worker.record()).toMatchObject({ state: 'recorded' });
    expect(leavesOf(mint)).toHaveLength(1);
  });
});

describe('a mint that one node alone calls final', () => {
  const HOURS_LATER = later(2 * 3_600_000);

  /** Sent and dropped, and expired for all but the first of two nodes. */
  async function claimed(o: { recorded: boolean }) {
    world = makeChain(2);
    await addTree(world, db);
    const mint = await addMint(db);
    const worker = await work(mint);
    const signed = await worker.sign();
    if (signed.state !== 'signed') throw new Error('not signed');
    const { signature } = signed.attempt;
    if (!o.recorded) world.sends.dropNext = 100;
    await worker.send();
    const [liar] = world.moods;
    if (!liar) throw new Error('there is a first node');
    liar.claims.add(signature);
    expect(await worker.settle()).toMatchObject({ state: 'landed' });
    if (o.recorded) await worker.record();
    if (o.recorded) world.vanish(signature);
    world.sends.dropNext = 100;
    world.expire();
    await worker.release();
    return { mint, liar, signature, late: await work(mint, 'the late one', HOURS_LATER) };
  }

  test.each([
    ['before', false],
    ['after', true],
  ])(
    'is opened again %s its leaf is on record, once the operator closed it',
    async (_, recorded) => {
      const { mint, liar, signature, late } = await claimed({ recorded });
      const look = () => (recorded ? late.look() : late.record());
      expect(await look()).toMatchObject({ state: recorded ? 'not_yet' : 'waiting' });
      expect(await db.undecidedTransaction.findMany()).toMatchObject([{ signature, kind: 'mint' }]);
      await closeUndecided(db, { signature, note: 'two explorers do not know it' });
      expect(await look()).toMatchObject({ state: 'reopened' });
      // The node still reports it. A transaction that the operator closed is not believed again.
      expect(liar.claims.has(signature)).toBe(true);
      expect(await late.sign()).toMatchObject({ state: 'signed', attempt: { number: 2 } });
      world.sends.dropNext = 0;
      await late.send();
      expect(await late.settle()).toMatchObject({ state: 'landed' });
      await late.record();
      expect(leavesOf(mint)).toHaveLength(1);
    },
  );

  test('is not opened again by the operator’s word alone while two nodes call it final', async () => {
    const { signature, late } = await claimed({ recorded: false });
    expect(await late.record()).toMatchObject({ state: 'waiting' });
    await closeUndecided(db, { signature, note: 'two explorers do not know it' });
    for (const mood of world.moods) mood.claims.add(signature);
    expect(await late.record()).toMatchObject({ state: 'waiting' });
    const [, second] = world.moods;
    second?.claims.delete(signature);
    expect(await late.record()).toMatchObject({ state: 'reopened' });
  });

  test('keeps the next from being signed until it is closed', async () => {
    const { mint, signature, late } = await claimed({ recorded: false });
    await db.mintAttempt.updateMany({ data: { outcome: 'expired' } });
    await db.mint.update({
      where: { id: mint.id },
      data: { stage: 'metadata_stored', redrives: 1 },
    });
    expect(await late.sign()).toMatchObject({ state: 'waiting' });
    await closeUndecided(db, { signature, note: 'two explorers do not know it' });
    expect(await late.sign()).toMatchObject({ state: 'signed', attempt: { number: 2 } });
  });
});
