import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Rpc } from '@/server/chain/rpc';
import type { ServiceContext } from '@/server/context';
import { createMint } from '@/server/nft/create-mint';
import { makeFacts } from '@/server/receipts/facts.fixture';
import { createTestDatabase, type TestDatabase } from '@/tests/harness/create-test-database';
import { awaitFinality } from './await-finality';

const NOW = new Date('2026-11-28T15:00:00Z');
const facts = makeFacts();

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.close());

/** A chain that no longer knows the transfer, long after; `meanwhile` runs between two of its answers. */
function forgetfulChain(meanwhile: () => Promise<unknown>): Rpc {
  const node = {
    nodes: 1,
    getSlot: async () => {
      await meanwhile();
      return facts.slot + 10_000n;
    },
    getSignatureStatuses: async () => [null],
    seeSignature: async () => ({ status: null, slot: facts.slot + 10_000n }),
    onNode: () => node,
  };
  return node as unknown as Rpc;
}

async function writeReceipt(id: string): Promise<void> {
  const { prisma } = database;
  const items = { metadataItemId: 'metadata', imageItemId: 'image' };
  await prisma.receipt.create({
    data: {
      id,
      ...items,
      txSignature: `${facts.txSignature}${id}`,
      payer: facts.payer,
      seller: facts.seller,
      token: facts.token,
      decimals: facts.decimals,
      amountRaw: facts.amount,
      amountSentRaw: facts.amountSent,
      feeWithheldRaw: facts.feeWithheld,
      otherLegs: [],
      usdMicros: facts.usdMicros,
      valuation: facts.valuation,
      slot: facts.slot,
      blockTime: facts.blockTime,
      serviceType: facts.serviceType,
      reportedBy: facts.reportedBy,
      createdAt: NOW,
    },
  });
  const mint = {
    id,
    kind: 'receipt',
    owner: facts.payer,
    name: `Receipt ${id}`,
    metadataUri: 'https://gateway.example/metadata',
    ...items,
    collection: null,
    transactionSignature: facts.txSignature,
    paymentSignature: null,
    paid: false,
  } as const;
  await createMint(prisma, mint, NOW);
}

const look = (id: string, rpc: Rpc) =>
  awaitFinality({
    mintId: id,
    runId: 'the slow one',
    service: { db: database.prisma, rpc, clock: { now: () => NOW } } as unknown as ServiceContext,
  });

const rowsOf = async (id: string) => ({
  mint: await database.prisma.mint.findUniqueOrThrow({ where: { id } }),
  receipt: await database.prisma.receipt.findUniqueOrThrow({ where: { id } }),
});

describe('a transfer that is gone', () => {
  it('ends the mint and frees the transaction', async () => {
    await writeReceipt('G0NE00000000');
    expect(
      await look(
        'G0NE00000000',
        forgetfulChain(async () => undefined),
      ),
    ).toEqual({
      state: 'stop',
    });
    const { mint, receipt } = await rowsOf('G0NE00000000');
    expect([mint.status, mint.lastError]).toEqual(['failed', 'transaction_dropped']);
    expect(receipt.releasedAt).toEqual(NOW);
  });

  it('frees nothing for a worker that lost the mint to another meanwhile', async () => {
    const id = 'STAYS0000000';
    await writeReceipt(id);
    const takenOver = () =>
      database.prisma.mint.update({
        where: { id },
        data: { fence: { increment: 1 }, leaseOwner: 'the next one', stage: 'metadata_stored' },
      });
    expect((await look(id, forgetfulChain(takenOver))).state).toBe('waiting');
    const { mint, receipt } = await rowsOf(id);
    expect([mint.status, mint.leaseOwner]).toEqual(['pending', 'the next one']);
    expect(receipt.releasedAt).toBeNull();
  });
});
