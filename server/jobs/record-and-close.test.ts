import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Rpc } from '@/server/chain/rpc';
import { RpcRefused, RpcUnavailable } from '@quittance/verify/chain/rpc-errors';
import { closeUndecided } from '@/server/chain/undecided-transactions';
import type { ServiceContext } from '@/server/context';
import { createMint } from '@/server/nft/mint-rows';
import { makeFacts } from '@/server/receipts/facts.fixture';
import { createTestDatabase, type TestDatabase } from '@/tests/harness/create-test-database';
import { awaitFinality } from './record-and-close';

const NOW = new Date('2026-11-28T15:00:00Z');
const facts = makeFacts();

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.close());

const TIP = facts.slot + 10_000n;

/**
 * A chain that long after no longer knows the transfer in any of its blocks, except in those it
 * `lacks`. `meanwhile` runs between two of its answers.
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
            blockhash: `hash ${slot}`,
            previousBlockhash: `hash ${slot - 1n}`,
            parentSlot: slot - 1n,
            signatures: [],
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

const look = (id: string, rpc: Rpc, now = NOW) =>
  awaitFinality({
    mintId: id,
    runId: 'the slow one',
    service: { db: database.prisma, rpc, clock: { now: () => now } } as unknown as ServiceContext,
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
    const where = { signature: facts.txSignature, kind: 'transfer', subject: id } as const;
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

describe('of two nodes', () => {
  const status = (confirmationStatus: string) => ({ slot: 9n, err: null, confirmationStatus });
  const silence = () => Promise.reject(new RpcUnavailable('it is down'));
  const refusal = () => Promise.reject(new RpcRefused('getSignatureStatuses', -32099, 'no', null));
  const honest = forgetfulChain(async () => undefined);
  /** A node that reports this about the transfer, by its status and by its last final block. */
  const telling = (said: unknown, tip = TIP): Rpc => {
    const node = {
      ...honest.onNode(0),
      getFinalizedTip: async () => ({ slot: tip, height: tip - 1_000n }),
      getSignatureStatuses: async () => [said],
      seeSignature: async () => ({ status: said, slot: tip }),
    };
    return node as unknown as Rpc;
  };
  const mute = (answer: () => Promise<never>): Rpc => {
    const node = {
      getFinalizedTip: answer,
      getSignatureStatuses: answer,
      seeSignature: answer,
    };
    return node as unknown as Rpc;
  };
  const over = (...nodes: Rpc[]): Rpc => {
    const onNode = (node: number) => nodes[node];
    const all = { ...nodes[0], nodes: nodes.length, calls: new Map(), onNode };
    return { ...all, unmetered: { onNode } } as unknown as Rpc;
  };
  const HOUR_MS = 3_600_000;
  const undecided = (id: string) =>
    database.prisma.undecidedTransaction.findMany({ where: { subject: id } });
  beforeEach(() => database.prisma.undecidedTransaction.deleteMany());

  it('one that calls the transfer final signs nothing, and a second one lets it sign', async () => {
    const id = 'W1TNESS00000';
    await writeReceipt(id);
    const final = telling(status('finalized'));
    for (const other of [telling(null), mute(silence), mute(refusal)]) {
      expect((await look(id, over(final, other))).state).toBe('waiting');
      expect((await rowsOf(id)).mint.stage).toBe('requested');
    }
    expect((await look(id, over(final, telling(status('confirmed'))))).state).toBe('done');
    expect((await rowsOf(id)).mint.stage).toBe('final');
  });

  it('one that is silent or refuses leaves it undecided, on record, and ends nothing', async () => {
    for (const [n, answer] of [silence, refusal].entries()) {
      const id = `S1NENT00000${n}`;
      await writeReceipt(id);
      expect((await look(id, over(honest, mute(answer)))).state).toBe('waiting');
      const { mint, receipt } = await rowsOf(id);
      expect([mint.status, receipt.releasedAt]).toEqual(['pending', null]);
      expect(mint.lastError).toContain('undecided: the transfer');
      expect(await undecided(id)).toHaveLength(1);
    }
  });

  it('one that stands still and calls it confirmed blocks nothing', async () => {
    const id = 'STANDS000000';
    await writeReceipt(id);
    const still = telling(status('confirmed'), TIP - 8_000n);
    expect((await look(id, over(still, honest))).state).toBe('waiting');
    expect(await undecided(id)).toEqual([]);
    const soon = new Date(NOW.getTime() + 200_000);
    expect((await look(id, over(still, honest), soon)).state).toBe('waiting');
    expect(await undecided(id)).toHaveLength(1);
    expect((await look(id, over(still, honest, honest), soon)).state).toBe('stop');
  });

  it('that never decide: after an hour it is on record, and the operator can close it', async () => {
    const id = 'H0WRS0000000';
    await writeReceipt(id);
    const open = over(telling(status('finalized')), telling(null));
    const late = new Date(NOW.getTime() + HOUR_MS + 1_000);
    expect((await look(id, open, new Date(NOW.getTime() + HOUR_MS - 1_000))).state).toBe('waiting');
    expect(await undecided(id)).toEqual([]);
    expect((await look(id, open, late)).state).toBe('waiting');
    const [row] = await undecided(id);
    expect(row).toMatchObject({ kind: 'transfer', closedAt: null });
    await closeUndecided(database.prisma, { signature: facts.txSignature, note: 'looked' });
    expect((await look(id, open, late)).state).toBe('stop');
  });
});
