import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { countNfts } from './harness/count-nfts';
import { endLeases } from './harness/end-leases';
import { startService, type TestService } from './harness/start-service';
import { awaitFinal } from './harness/use-statements';
import { awaitClosed, makePair, mint, pay } from './harness/use-service';

/**
 * Each case slows the service that a named step waits for, so that the job stays inside that step.
 * It kills a real process with SIGKILL there and starts it again. Then it reads chain and database.
 */
type Step = {
  name: string;
  /** Stage of the mint during the step. */
  stage: string;
  hold: { part: 'chain' | 'storage'; switches: object };
  /** A sign in the database, beside stage and lease, that the step has begun its work. */
  begun?: { sent: boolean };
};

/** Long enough that a machine that stops for a moment does not miss the step. */
const HOLD_MS = 3_000;
const STEPS: Step[] = [
  {
    name: 'await-finality',
    stage: 'requested',
    hold: { part: 'chain', switches: { delayMs: { getSignatureStatuses: HOLD_MS } } },
  },
  {
    name: 'publish-image',
    stage: 'final',
    hold: { part: 'storage', switches: { delayMs: HOLD_MS } },
  },
  {
    name: 'publish-metadata',
    stage: 'image_stored',
    hold: { part: 'storage', switches: { delayMs: HOLD_MS } },
  },
  {
    name: 'sign',
    stage: 'metadata_stored',
    hold: { part: 'chain', switches: { delayMs: { getLatestBlockhash: HOLD_MS } } },
  },
  {
    name: 'send',
    stage: 'signed',
    hold: { part: 'chain', switches: { delayMs: { sendTransaction: HOLD_MS } } },
  },
  {
    name: 'settle',
    stage: 'signed',
    hold: { part: 'chain', switches: { delayMs: { getSignatureStatuses: HOLD_MS } } },
    begun: { sent: true },
  },
  {
    name: 'record',
    stage: 'landed',
    hold: { part: 'chain', switches: { delayMs: { getTransaction: HOLD_MS } } },
  },
  {
    name: 'close',
    stage: 'recorded',
    hold: { part: 'chain', switches: { delayMs: { getTransaction: HOLD_MS } } },
  },
];

let service: TestService;

beforeAll(async () => {
  // Slots are long enough that a restart does not outlast the 150 slots of a blockhash.
  service = await startService({ env: { DEVNET_SLOT_MS: '300', DEVNET_FINALITY_SLOTS: '2' } });
  // The first query of a process is slow enough to miss a step.
  await service.prisma.mint.findFirst({ include: { tries: true } });
});
afterAll(() => service.close());
afterEach(async () => {
  await service.fault('chain', null);
  await service.fault('storage', null);
});

describe.each(['app', 'runner', 'chain'] as const)('kill -9 of the %s', (victim) => {
  it.each(STEPS)('in $name: exactly one NFT, nothing lost', async (step) => {
    const { payer, seller } = await makePair(service);
    const signature = await pay(service, { from: payer, to: seller, amount: 250_000n });
    // The receipt reads no more from the chain once it is final, so only the job meets the slow
    // answers.
    await awaitFinal(service, [signature]);
    await service.fault(step.hold.part, step.hold.switches);
    const { status, body } = await mint(service, { signature, wallet: payer });
    expect(status, JSON.stringify(body)).toBe(200);
    const id = String(body['receipt_id']);

    await inside(id, step);
    await service[victim].kill();
    if (victim === 'runner') await endLeases(service);
    await service[victim].start();
    await service.fault(step.hold.part, null);

    await awaitClosed(service, id);
    await expectExactlyOnce(id, payer.address);
  });
});

describe('kill -9 of every process at once', () => {
  it('during five mints: five NFTs, one for each receipt', async () => {
    const pairs = await Promise.all(Array.from({ length: 5 }, () => makePair(service)));
    await service.fault('chain', { delayMs: { sendTransaction: 300 } });
    const receipts = await Promise.all(
      pairs.map(async ({ payer, seller }) => {
        const signature = await pay(service, { from: payer, to: seller, amount: 250_000n });
        const { body } = await mint(service, { signature, wallet: payer });
        return { id: String(body['receipt_id']), owner: payer.address };
      }),
    );
    await sleep(700);
    const parts = [service.app, service.runner, service.chain, service.storage];
    await Promise.all(parts.map((part) => part.kill()));
    await endLeases(service);
    for (const part of [service.chain, service.storage, service.runner, service.app])
      await part.start();
    await service.fault('chain', null);
    for (const { id, owner } of receipts) {
      await awaitClosed(service, id);
      await expectExactlyOnce(id, owner);
    }
  }, 480_000);
});

/**
 * Waits until a worker is inside the step. Throws when it missed the step, so that no case passes
 * without a kill.
 */
async function inside(id: string, step: Step): Promise<void> {
  const deadline = Date.now() + 120_000;
  while (Date.now() < deadline) {
    const row = await service.prisma.mint.findUniqueOrThrow({
      where: { id },
      include: { tries: true },
    });
    const sent = row.tries.some(({ sentAt }) => sentAt !== null);
    const isHere = row.stage === step.stage && row.leaseOwner !== null;
    if (isHere && sent === (step.begun?.sent ?? sent)) return;
    await sleep(20);
  }
  throw new Error(`the job was never seen inside ${step.name}`);
}

async function expectExactlyOnce(id: string, owner: string): Promise<void> {
  expect(await countNfts(service.rpcUrl, owner)).toBe(1);
  const row = await service.prisma.mint.findUniqueOrThrow({
    where: { id },
    include: { tries: true },
  });
  expect(row.attempts).toBe(0);
  const landed = row.tries.filter(({ outcome }) => outcome === 'landed');
  expect(landed.map((one) => one.signature)).toEqual([row.mintSignature]);
  expect(await service.prisma.receipt.count({ where: { id, releasedAt: null } })).toBe(1);
}
