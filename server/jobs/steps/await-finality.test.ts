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

const TIP = facts.slot + 10_000n;

/**
 * A chain that no longer knows the transfer, long after, in any of its blocks but those it `lacks`; `meanwhile`
 * runs between two of its answers.
 */
function forgetfulChain(meanwhile: () => Promise<unknown>, lacks: bigint | null = null): Rpc {
  const node = {
    nodes: 1,
    calls: new Map(),
    getFinalizedTip: async () => {
      await meanwhile();
      return { slot: TIP, height: TIP - 1_000n };
    },
    getBlock: async (slot: bigint) =>
      slot === lacks
        ? null
        : {
            height: slot - 1_000n,
            ...{ blockhash: `hash ${slot}`, previousBlockhash: `hash ${slot - 1n}` },
            ...{ parentSlot: slot - 1n, signatures: [] },
          },
    getSignatureStatuses: async () => [null],
    seeSignature: async () => ({ status: null, slot: TIP }),
    unmetered: { onNode: (): unknown => node },
    onNode: (): unknown => node,
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

  it('is not concluded from a node that lacks a block: the mint waits and frees nothing', async () => {
    const id = 'GAP000000000';
    await writeReceipt(id);
    const gap = forgetfulChain(async () => undefined, facts.slot + 20n);
    expect((await look(id, gap)).state).toBe('waiting');
    const { mint, receipt } = await rowsOf(id);
    expect([mint.status, receipt.releasedAt]).toEqual(['pending', null]);
    expect(mint.lastError).toContain('undecided: the transfer');
    const where = { signature: facts.txSignature, kind: 'transfer', subject: id };
    expect(await database.prisma.undecidedTransaction.count({ where })).toBe(1);
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
