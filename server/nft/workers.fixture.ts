import { afterAll, beforeAll, beforeEach } from 'vitest';
import type { Mint, PrismaClient } from '@/generated/prisma/client';
import { createTestDatabase, type TestDatabase } from '@/tests/harness/create-test-database';
import { claimMint, findLandedAttempt, findOpenAttempt, releaseMint } from './mint-rows';
import { lookAgain } from './look-again';
import { later, START, type TestChain } from './minting.fixture';
import { recordLeaf } from './read-leaf';
import { sendMint } from './send-mint';
import { settleMint } from './settle-mint';
import { signMint } from './sign-mint';

type Named = Pick<Mint, 'id'>;

/** A database of the test file, which `take` gets before each test, without mints and trees. */
export function withoutMints(take: (db: PrismaClient) => void): void {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await createTestDatabase();
  });
  afterAll(() => database.close());
  beforeEach(async () => {
    const db = database.prisma;
    await db.mintAttempt.deleteMany();
    await db.mint.deleteMany();
    await db.tree.deleteMany();
    await db.undecidedTransaction.deleteMany();
    take(db);
  });
}

/** Workers that run mints as the job does, on the current chain and database of the test. */
export function makeWorkers(
  now: () => { db: PrismaClient; world: TestChain; frozenReceipts?: boolean },
) {
  const rowOf = (mint: Named) => now().db.mint.findUniqueOrThrow({ where: { id: mint.id } });

  /** The steps of one worker on one mint, with what stays the same filled in. */
  async function work(mint: Named, owner = 'worker', at = START) {
    const { db, world } = now();
    const claimed = await claimMint({ db, id: mint.id, owner, leaseMs: 60_000, now: at });
    if (!claimed) throw new Error(`${owner} could not claim ${mint.id}`);
    const { fence } = claimed;
    const shared = { db, rpc: world.rpc, fence, now: at };
    const landed = async () => {
      const attempt = await findLandedAttempt(db, mint.id);
      if (!attempt) throw new Error(`${mint.id} has no landed attempt`);
      return { mint: await rowOf(mint), attempt };
    };
    const attempt = async () => {
      const open = await findOpenAttempt(db, mint.id);
      if (!open) throw new Error(`${mint.id} has no open attempt`);
      return open;
    };
    // Runs fast enough that a settling worker never takes the last send for a fresh one.
    let looks = 0;
    const clock = { now: () => new Date(at.getTime() + 10_000 * (looks += 1)) };
    return {
      fence,
      sign: async () =>
        signMint({
          ...shared,
          mint: await rowOf(mint),
          minter: world.minter,
          network: 'local',
          priorityFeeMicroLamports: 20_000,
          frozenReceipts: now().frozenReceipts ?? false,
        }),
      send: async () => sendMint({ ...shared, attempt: await attempt() }),
      settle: async (budgetMs = 0) =>
        settleMint({ ...shared, attempt: await attempt(), budgetMs, clock }),
      record: async () => recordLeaf({ ...shared, ...(await landed()) }),
      look: async () => lookAgain({ ...shared, ...(await landed()) }),
      release: () => releaseMint({ ...shared, id: mint.id }),
    };
  }

  /** Signs, sends, settles and records, going back to signing where settling says so. */
  async function mintFully(mint: Named) {
    const worker = await work(mint);
    for (let round = 0; round < 5; round += 1) {
      const signed = await worker.sign();
      if (signed.state !== 'signed') return signed;
      await worker.send();
      let settled = await worker.settle();
      if (settled.state === 'in_flight') {
        now().world.finalize();
        settled = await worker.settle();
      }
      if (settled.state === 'landed') return worker.record();
      if (settled.state === 'failed' && settled.status === 'failed') return settled;
    }
    throw new Error('five rounds were not enough');
  }

  /** Continues a mint with a new worker, in whatever state the mint is. */
  async function finish(mint: Named): Promise<void> {
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

  return {
    work,
    mintFully,
    finish,
    rowOf,
    attemptsOf: (mint: Named) =>
      now().db.mintAttempt.findMany({ where: { mintId: mint.id }, orderBy: { number: 'asc' } }),
    leavesOf: (mint: Mint) =>
      now()
        .world.leaves()
        .filter((leaf) => leaf.owner === mint.owner),
  };
}
