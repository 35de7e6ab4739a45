import { spawn } from 'node:child_process';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { childEnv } from '@/scripts/environment';
import { isolatedEnv } from '@/scripts/isolated-env';
import { countNfts } from './harness/count-nfts';
import { hurrySweeps } from './harness/hurry-sweeps';
import { runNode } from './harness/run-command';
import { startService, type TestService } from './harness/start-service';
import { makeSale, mintPaid, offerOf, payOffer } from './harness/use-payments';
import { awaitClosed, awaitStatus, call, freshReceipt, mint } from './harness/use-service';

const REBUILD = ['--import', 'tsx', 'scripts/admin.ts', 'rebuild'];
const REBUILT = 'service.rebuild';

let service: TestService;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.close());
afterEach(async () => {
  await service.fault('chain', null);
  await service.fault('storage', null);
});

const rebuild = (...args: string[]) =>
  runNode([...REBUILD, ...args], { cwd: process.cwd(), env: service.appEnv });
const timesRebuilt = () => service.prisma.auditEntry.count({ where: { action: REBUILT } });

/** A receipt that was paid for and minted, and its payment. */
async function buyReceipt() {
  const sale = await makeSale(service);
  const offer = offerOf(await mint(service, { signature: sale.signature }));
  const payment = await payOffer(service, { from: sale.payer, offer });
  const { body } = await mintPaid(service, { signature: sale.signature, payment });
  const id = String(body['receipt_id']);
  await awaitClosed(service, id);
  return { ...sale, id, payment };
}

/** Removes a receipt's records from the database, like in a backup from before it. */
async function forget({ id, payment }: { id: string; payment: string }): Promise<void> {
  const { prisma } = service;
  await prisma.payment.deleteMany({ where: { signature: payment } });
  await prisma.mintAttempt.deleteMany({ where: { mintId: id } });
  await prisma.mint.delete({ where: { id } });
  await prisma.receipt.delete({ where: { id } });
}

const NOT_MINTED = {
  status: 'pending' as const,
  mintSignature: null,
  mintSlot: null,
  assetId: null,
  leafIndex: null,
  completedAt: null,
  finalAt: null,
};

/**
 * Two NFTs of one receipt: the first was written off as expired, the second was recorded when the
 * database stopped.
 */
async function mintTwice(second: { outcome: 'landed' | null }) {
  const { prisma } = service;
  const { id, owner } = await freshReceipt(service);
  await awaitClosed(service, id);
  const first = await prisma.mintAttempt.findFirstOrThrow({ where: { mintId: id } });
  await prisma.mintAttempt.delete({ where: { id: first.id } });
  const stage = 'metadata_stored';
  await prisma.mint.update({ where: { id }, data: { ...NOT_MINTED, stage } });
  await vi.waitFor(
    async () => {
      await hurrySweeps(service);
      await awaitStatus(service, id, { timeoutMs: 5_000 });
    },
    { timeout: 90_000, interval: 500 },
  );
  await awaitClosed(service, id);
  const { signature } = await prisma.mintAttempt.findFirstOrThrow({ where: { mintId: id } });
  await prisma.mintAttempt.updateMany({ where: { mintId: id }, data: { ...second, number: 2 } });
  await prisma.mintAttempt.create({ data: { ...first, outcome: 'expired' } });
  if (second.outcome === null) {
    const redriveAt = new Date(Date.now() + 3_600_000);
    await prisma.mint.update({
      where: { id },
      data: { ...NOT_MINTED, stage: 'signed', redriveAt },
    });
  }
  expect(await countNfts(service.rpcUrl, owner)).toBe(2);
  return { id, first: first.signature, second: signature };
}

describe('a rebuild', () => {
  it.each([
    ['open', null],
    ['landed', 'landed'],
  ] as const)(
    'completes a mint with two NFTs whose later one is %s on record, and may be run again',
    async (_, outcome) => {
      const { prisma } = service;
      const twice = await mintTwice({ outcome });
      const other = await buyReceipt();
      await forget(other);
      const before = await timesRebuilt();

      const run = await rebuild();
      expect(run.output).toContain(`receipt ${twice.id} has two NFTs`);
      expect([run.code, run.output]).toEqual([0, expect.stringContaining('1 used')]);
      expect(await timesRebuilt()).toBe(before + 1);
      const read = () =>
        Promise.all([
          prisma.mint.findUniqueOrThrow({ where: { id: twice.id } }),
          prisma.mintAttempt.findMany({ where: { mintId: twice.id }, orderBy: { number: 'asc' } }),
          prisma.receipt.findUniqueOrThrow({ where: { id: other.id } }),
          prisma.payment.findUniqueOrThrow({ where: { signature: other.payment } }),
        ]);
      const after = await read();
      const [row, attempts, receipt, payment] = after;
      expect(row).toMatchObject({ status: 'completed', mintSignature: twice.second });
      expect(attempts.map((one) => [one.signature, one.outcome])).toEqual([
        [twice.first, 'expired'],
        [twice.second, 'landed'],
      ]);
      expect(receipt.txSignature).toBe(other.signature);
      expect(payment).toMatchObject({ state: 'used', subjectId: other.id });

      // A repeat on the restored database changes nothing.
      const again = await rebuild();
      expect([again.code, again.output]).toEqual([
        0,
        expect.stringContaining('0 receipts, 0 used and 0 unused payments were restored'),
      ]);
      expect(await read()).toEqual(after);
      expect(await timesRebuilt()).toBe(before + 2);
    },
  );

  it('that is killed between receipts and payments still knows, when run again, what the payments bought', async () => {
    const bought = await buyReceipt();
    await forget(bought);
    await service.fault('chain', { delayMs: { getSignaturesForAddress: 2_000 } });
    const before = await timesRebuilt();
    const child = spawn(process.execPath, REBUILD, {
      env: childEnv({ ...isolatedEnv(), ...service.appEnv }),
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    child.stdout.on('data', (text: Buffer) => {
      if (text.toString().includes('reading payments')) child.kill('SIGKILL');
    });
    await new Promise((resolve) => child.once('close', resolve));
    await service.fault('chain', null);
    const where = { signature: bought.payment };
    expect(await service.prisma.receipt.count({ where: { id: bought.id } })).toBe(1);
    expect(await service.prisma.payment.count({ where })).toBe(0);
    expect(await timesRebuilt()).toBe(before);

    expect((await rebuild()).code).toBe(0);
    expect(await service.prisma.payment.findUnique({ where })).toMatchObject({
      state: 'used',
      subjectId: bought.id,
    });
    const answer = await call(service, `/payments/${bought.payment}`);
    expect(answer.body['state']).toBe('used');
  });

  it('reports rows that fail, restores the others, and starts no work before a run without such rows', async () => {
    const bought = await buyReceipt();
    await forget(bought);
    const before = await timesRebuilt();
    await service.fault('storage', { down: true });
    const run = await rebuild();
    expect(run.code).toBe(1);
    expect(run.output).toMatch(/could not handle \w{80,90}: /);
    expect(run.output).toContain('The service still waits');
    expect(await timesRebuilt()).toBe(before);
    // A payment is not usable before the service knows what it bought.
    expect(await service.prisma.payment.count({ where: { signature: bought.payment } })).toBe(0);

    await service.fault('storage', null);
    expect((await rebuild()).code).toBe(0);
    expect(await timesRebuilt()).toBe(before + 1);
    expect(
      await service.prisma.payment.findUnique({ where: { signature: bought.payment } }),
    ).toMatchObject({ state: 'used', subjectId: bought.id });
  });

  it('replaces a receipt of the backup that never got its NFT by the one that did', async () => {
    const { prisma } = service;
    const bought = await buyReceipt();
    const receipt = await prisma.receipt.findUniqueOrThrow({ where: { id: bought.id } });
    const mintRow = await prisma.mint.findUniqueOrThrow({ where: { id: bought.id } });
    await forget(bought);
    // The backup's own receipt of the same transaction. It was freed and replaced after the backup.
    const early = `0${bought.id.slice(1, 11)}0`;
    await prisma.receipt.create({
      data: { ...receipt, id: early, otherLegs: [], beside: {} },
    });
    const redriveAt = new Date(Date.now() + 3_600_000);
    await prisma.mint.create({
      data: { ...mintRow, ...NOT_MINTED, id: early, stage: 'requested', redriveAt },
    });

    // The backup also lacks the collection, which was made later.
    const collection = await prisma.collection.findFirstOrThrow({ where: { holds: 'receipt' } });
    await prisma.collection.delete({ where: { address: collection.address } });

    const run = await rebuild();
    expect(run.code).toBe(0);
    expect(run.output).toContain(`collection ${collection.address} of receipts restored`);
    expect((await call(service, `/receipt/${bought.id}`)).body['mint_status']).toBe('completed');
    expect(await prisma.mint.findUnique({ where: { id: bought.id } })).toMatchObject({
      collection: collection.address,
    });
    const { createdAt, ...known } = collection;
    const back = await prisma.collection.findUniqueOrThrow({
      where: { address: collection.address },
    });
    expect(back).toMatchObject(known);
    expect(Math.abs(back.createdAt.getTime() - createdAt.getTime())).toBeLessThan(180_000);
    expect(await prisma.receipt.findUnique({ where: { id: early } })).toMatchObject({
      releasedAt: expect.any(Date),
    });
    expect(await prisma.mint.findUnique({ where: { id: early } })).toMatchObject({
      status: 'failed',
      lastError: expect.stringContaining(bought.id),
    });
    expect(await countNfts(service.rpcUrl, bought.payer.address)).toBe(1);
  });
});
