import { afterAll, beforeAll, expect, it } from 'vitest';
import type { PaymentState } from '@/generated/prisma/client';
import type { Rpc } from '@/server/chain/rpc';
import { RpcUnavailable } from '@quittance/verify/chain/rpc-errors';
import type { SignatureStatus } from '@quittance/verify/chain/rpc-schemas';
import { closeUndecided } from '@/server/chain/undecided-transactions';
import { trusted } from '@/server/trusted';
import { createTestDatabase, type TestDatabase } from '@/tests/harness/create-test-database';
import { endedWithoutMoney } from './find-payment';
import { reviveLanded } from './recover-payments';

const NOW = new Date('2026-11-29T12:00:00Z');
const DAY_MS = 86_400_000;
let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.close());

const knowing = (status: SignatureStatus | null) =>
  trusted<Rpc>({ nodes: 1, getSignatureStatuses: async () => [status] }, 'nothing else is asked');
const final = { slot: 5n, err: null, confirmationStatus: 'finalized' as const };

async function payment(
  id: string,
  fields: { state: PaymentState; reason: string; daysAgo?: number },
) {
  const { state, reason, daysAgo = 1 } = fields;
  const at = new Date(NOW.getTime() - daysAgo * DAY_MS);
  return database.prisma.payment.create({
    data: {
      id,
      dialect: 'v2',
      signature: `signature of ${id}`,
      payer: 'payer',
      payTo: 'till',
      state,
      reason,
      requestSha256: 'this',
      createdAt: at,
      updatedAt: at,
    },
  });
}

it('a failed payment that is final on chain becomes its payer’s to use, and no other does', async () => {
  const db = database.prisma;
  const failed = await payment('FAILED', { state: 'failed', reason: 'transaction_expired' });
  const look = (status: SignatureStatus | null) =>
    reviveLanded({ db, rpc: knowing(status), now: NOW }, failed);
  const stateOf = async () =>
    (await db.payment.findUniqueOrThrow({ where: { id: failed.id } })).state;
  expect(await look(null)).toBeNull();
  expect(await look({ ...final, err: 'Custom' })).toBeNull();
  expect(await look({ ...final, confirmationStatus: 'confirmed' })).toBeNull();
  expect(await stateOf()).toBe('failed');
  expect(await look(final)).toMatchObject({ state: 'unused', reason: 'landed_after_all' });
  expect(await stateOf()).toBe('unused');
});

it('a payment that only one node calls final waits for a second one, until the operator closes it', async () => {
  const db = database.prisma;
  const row = await payment('ALONE', { state: 'failed', reason: 'transaction_expired' });
  const over = (...views: (SignatureStatus | null | 'down')[]) =>
    trusted<Rpc>(
      {
        nodes: views.length,
        onNode: (node: number) => ({
          getSignatureStatuses: async () => {
            if (views[node] === 'down') throw new RpcUnavailable('it is down');
            return [views[node]];
          },
        }),
      },
      'nothing else is asked',
    );
  const look = (rpc: Rpc) => reviveLanded({ db, rpc, now: NOW }, row);
  // A dead third node hides nothing that two agree on.
  expect(await look(over(null, 'down', null))).toBeNull();
  await expect(look(over(null, 'down'))).rejects.toThrow(RpcUnavailable);
  await expect(look(over(final, null))).rejects.toThrow(RpcUnavailable);
  const signature = row.signature ?? '';
  expect(await closeUndecided(db, { signature, note: 'nobody else knows it' })).toBe(true);
  expect(await look(over(final, null))).toBeNull();
  expect(await look(over(final, 'down', final))).toMatchObject({ state: 'unused' });
});

it('a used or refunded payment stays so', async () => {
  const db = database.prisma;
  for (const state of ['used', 'refunded', 'unused'] as const) {
    const row = await payment(state, { state, reason: 'interrupted' });
    expect(await reviveLanded({ db, rpc: knowing(final), now: NOW }, row)).toBeNull();
  }
});

it('checks payments that failed or were dropped within the days, page by page', async () => {
  const db = database.prisma;
  await db.payment.deleteMany();
  await payment('A', { state: 'failed', reason: 'transaction_expired' });
  await payment('B', { state: 'unused', reason: 'payment_dropped' });
  await payment('C', { state: 'unused', reason: 'interrupted' });
  await payment('D', { state: 'failed', reason: 'transaction_expired', daysAgo: 8 });
  await payment('E', { state: 'failed', reason: 'closed_on_record', daysAgo: 6 });
  const since = new Date(NOW.getTime() - 7 * DAY_MS);
  const page = async (after: string) =>
    (await endedWithoutMoney(db, { since, after, limit: 2 })).map(({ id }) => id);
  expect(await page('')).toEqual(['A', 'B']);
  expect(await page('B')).toEqual(['E']);
});
