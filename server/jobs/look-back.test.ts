import { afterAll, beforeAll, beforeEach, expect, it, vi } from 'vitest';
import * as sendEventsModule from '@/server/job-server/send-events';
import { muteLog, standIn } from '@/tests/harness/stand-in';
import { RpcUnavailable } from '@quittance/verify/chain/rpc-errors';
import type { Rpc } from '@/server/chain/rpc';
import { trusted } from '@/server/trusted';
import { createTestDatabase, type TestDatabase } from '@/tests/harness/create-test-database';
import { addMint } from '@/server/nft/minting.fixture';
import { lookAtMints, lookAtPayments } from './look-back';

muteLog();
const sent: string[] = [];
standIn(sendEventsModule, {
  requestMint: async ({ id }: { id: string }) => sent.push(id),
});

const DAY_MS = 86_400_000;
const final = { slot: 5n, err: null, confirmationStatus: 'finalized' as const };
let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.close());
beforeEach(async () => {
  await database.prisma.payment.deleteMany();
  await database.prisma.mintAttempt.deleteMany();
  await database.prisma.mint.deleteMany();
  sent.length = 0;
});

type Told = 'landed' | 'unknown' | 'silent';
/** Nodes that each report this about a signature, by its name. */
function nodesTelling(...nodes: ((signature: string) => Told)[]): Rpc {
  const ask = (tell: (signature: string) => Told) => async (signatures: readonly string[]) =>
    signatures.map((signature) => {
      const told = tell(signature);
      if (told === 'silent') throw new RpcUnavailable('it is down');
      return told === 'landed' ? final : null;
    });
  const each = nodes.map((tell) => ({ nodes: 1, getSignatureStatuses: ask(tell) }));
  const rpc = { ...each[0], nodes: nodes.length, onNode: (node: number) => each[node] };
  return trusted<Rpc>(rpc, 'nothing else is asked');
}

async function failedPayment(id: string, daysAgo = 1): Promise<void> {
  const at = new Date(Date.now() - daysAgo * DAY_MS);
  await database.prisma.payment.create({
    data: {
      id,
      dialect: 'v2',
      signature: `of ${id}`,
      payer: 'payer',
      payTo: 'till',
      state: 'failed',
      reason: 'transaction_expired',
      requestSha256: id,
      createdAt: at,
      updatedAt: at,
    },
  });
}

const stateOf = async (id: string) =>
  (await database.prisma.payment.findUniqueOrThrow({ where: { id } })).state;

it('a payment that no node knows does not keep the others from being found', async () => {
  for (const id of ['A', 'B', 'C']) await failedPayment(id);
  const rpc = nodesTelling((signature) => {
    if (signature === 'of A') return 'silent';
    return signature === 'of B' ? 'landed' : 'unknown';
  });
  expect(await lookAtPayments({ db: database.prisma, rpc })).toEqual({
    looked: 3,
    landed: 1,
    unread: 1,
  });
  expect([await stateOf('A'), await stateOf('B'), await stateOf('C')]).toEqual([
    ...['failed', 'unused', 'failed'],
  ]);
});

it('a payment that only one of two nodes shows as landed is not released to its payer', async () => {
  await failedPayment('A');
  const db = database.prisma;
  for (const other of ['unknown', 'silent'] as const) {
    const rpc = nodesTelling(
      () => 'landed',
      () => other,
    );
    expect(await lookAtPayments({ db, rpc })).toMatchObject({ landed: 0, unread: 1 });
    expect(await stateOf('A')).toBe('failed');
  }
  const rpc = nodesTelling(
    () => 'landed',
    () => 'landed',
  );
  expect(await lookAtPayments({ db, rpc })).toMatchObject({ landed: 1, unread: 0 });
  expect(await stateOf('A')).toBe('unused');
});

it('goes back seven days by the database’s time, not by that of a process', async () => {
  await failedPayment('A', 6.9);
  await failedPayment('B', 7.1);
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() - 30 * DAY_MS });
  try {
    const rpc = nodesTelling(() => 'unknown');
    expect(await lookAtPayments({ db: database.prisma, rpc })).toMatchObject({ looked: 1 });
  } finally {
    vi.useRealTimers();
  }
});

it('a mint that landed after all is found once a second node reports it, and continues', async () => {
  const db = database.prisma;
  const mint = await addMint(db, { stage: 'metadata_stored' });
  const at = new Date(Date.now() - DAY_MS);
  await db.mintAttempt.create({
    data: {
      mintId: mint.id,
      number: 1,
      tree: 'tree',
      signature: 'of the mint',
      wire: new Uint8Array(),
      lastValidBlockHeight: 5n,
      outcome: 'expired',
      createdAt: at,
      settledAt: at,
    },
  });
  const silent = nodesTelling(
    () => 'unknown',
    () => 'silent',
  );
  expect(await lookAtMints({ db, rpc: silent })).toEqual({ looked: 1, landed: 0, unread: 1 });
  const alone = nodesTelling(
    () => 'silent',
    () => 'landed',
  );
  expect(await lookAtMints({ db, rpc: alone })).toEqual({ looked: 1, landed: 0, unread: 1 });
  const rpc = nodesTelling(
    () => 'silent',
    () => 'landed',
    () => 'landed',
  );
  expect(await lookAtMints({ db, rpc })).toMatchObject({ looked: 1, landed: 1 });
  expect(await db.mint.findUniqueOrThrow({ where: { id: mint.id } })).toMatchObject({
    stage: 'landed',
    status: 'pending',
    leaseOwner: null,
  });
  expect(sent).toEqual([mint.id]);
});
