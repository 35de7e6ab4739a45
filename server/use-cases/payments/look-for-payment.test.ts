import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { muteLog } from '@/tests/harness/stand-in';
import type { Rpc } from '@/server/chain/rpc';
import { RpcUnavailable } from '@quittance/verify/chain/rpc-errors';
import { trusted } from '@/server/trusted';
import { createTestDatabase, type TestDatabase } from '@/tests/harness/create-test-database';
import type { Call } from '../call';
import { findKnown } from './look-for-payment';

muteLog();

const SIGNATURE = 'of the payment';
const final = { slot: 5n, err: null, confirmationStatus: 'finalized' as const };
let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.close());
beforeEach(async () => {
  await database.prisma.payment.deleteMany();
  const at = new Date('2026-11-29T12:00:00Z');
  await database.prisma.payment.create({
    data: {
      id: 'PAY',
      dialect: 'documented',
      signature: SIGNATURE,
      payer: 'payer',
      payTo: 'till',
      state: 'failed',
      reason: 'transaction_expired',
      requestSha256: 'this',
      createdAt: at,
      updatedAt: at,
    },
  });
});

/** Asks nodes that each give this status, or nothing at all. */
function find(...said: (typeof final | null | 'down')[]) {
  const each = said.map((one) => ({
    getSignatureStatuses: async () => {
      if (one === 'down') throw new RpcUnavailable('it is down');
      return [one];
    },
  }));
  const rpc = trusted<Rpc>(
    { ...each[0], nodes: said.length, onNode: (node: number) => each[node] },
    'nothing else is asked',
  );
  const call = trusted<Call>(
    { service: { rpc, db: database.prisma, clock: { now: () => new Date() } } },
    'nothing else of it is read',
  );
  return findKnown(call, { dialect: 'documented', signature: SIGNATURE });
}

it('a payment that ended as failed is looked for once more before anybody hears that it did', async () => {
  expect(await find(null, null)).toMatchObject({ state: 'failed' });
  expect(await find(final, final)).toMatchObject({ state: 'unused', reason: 'landed_after_all' });
  expect(await find(null, null)).toMatchObject({ state: 'unused' });
});

it('while one node alone shows it, or one is silent, nobody hears anything', async () => {
  for (const other of [null, 'down'] as const)
    await expect(find(final, other)).rejects.toThrow(RpcUnavailable);
  await expect(find(null, 'down')).rejects.toThrow(RpcUnavailable);
  expect((await database.prisma.payment.findFirst())?.state).toBe('failed');
});
