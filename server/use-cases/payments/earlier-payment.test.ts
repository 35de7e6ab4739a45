import bs58 from 'bs58';
import { muteLog } from '@/tests/harness/stand-in';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import type { PaymentState } from '@/generated/prisma/client';
import { TOKEN } from '@quittance/verify/chain/programs';
import { createRpc } from '@/server/chain/rpc';
import { RpcUnavailable } from '@quittance/verify/chain/rpc-errors';
import { nodeOfTest } from '@/tests/harness/chain/fake-node';
import { MadeTransaction, named, USDC } from '@/tests/harness/chain/made-transaction';
import { tokenAddressOf } from '@quittance/verify/chain/token-accounts';
import { trusted } from '@/server/trusted';
import { createTestDatabase, type TestDatabase } from '@/tests/harness/create-test-database';
import type { Call } from '../call';
import { earlierPayment } from './earlier-payment';

muteLog();

/** The signature of a made transaction. */
const SIGNATURE = bs58.encode(Buffer.alloc(64, 7));
const TILL = named('the till');
const FINAL = { slot: 250_000_000, err: null, confirmationStatus: 'finalized' };
let database: TestDatabase;
let till: string;
beforeAll(async () => {
  database = await createTestDatabase();
  till = await tokenAddressOf({ wallet: TILL, mint: USDC, tokenProgram: TOKEN });
});
afterAll(() => database.close());
beforeEach(() => database.prisma.payment.deleteMany());

async function noted(state: PaymentState, reason: string | null): Promise<void> {
  const at = new Date(Date.now() - 60_000);
  await database.prisma.payment.create({
    data: {
      id: 'PAY',
      dialect: 'v2',
      signature: SIGNATURE,
      payer: named('customer'),
      payTo: TILL,
      state,
      reason,
      requestSha256: 'this',
      createdAt: at,
      updatedAt: at,
    },
  });
}

const transfer = (to: string) =>
  new MadeTransaction({ feePayer: 'customer' })
    .account('purse', { owner: 'customer', amount: 9_000_000n })
    .account(to, { owner: 'the till', amount: 0n })
    .send('purse', to, 100_000n, { authority: 'customer' })
    .raw();

/** Asks with one node that gives this transaction and this status. */
async function ask(o: { transaction: unknown; status?: unknown }): Promise<string | null> {
  const node = await nodeOfTest(({ method }) => ({
    result:
      method === 'getSignatureStatuses'
        ? { context: { slot: 250_000_040 }, value: [o.status ?? null] }
        : o.transaction,
  }));
  const rpc = createRpc({ urls: [node.url], timeoutMs: 2_000 });
  const call = trusted<Call>(
    {
      service: {
        rpc,
        db: database.prisma,
        env: { payTo: TILL, network: 'mainnet' },
        clock: { now: () => new Date() },
      },
    },
    'nothing else of it is read',
  );
  return earlierPayment(call, { requestSha256: 'this', payer: named('customer') });
}

it('a payment that landed and bought nothing pays, and a transaction that is no payment does not', async () => {
  await noted('unused', 'interrupted');
  expect(await ask({ transaction: transfer(till) })).toBe(SIGNATURE);
  expect(await ask({ transaction: transfer('drawer') })).toBeNull();
});

it('a recorded payment that no node shows in readable form is waited for', async () => {
  await noted('unused', 'interrupted');
  await expect(ask({ transaction: null })).rejects.toMatchObject({ code: 'payment_not_seen_yet' });
  const blind = { ...transfer(till), meta: null };
  await expect(ask({ transaction: blind })).rejects.toThrow(RpcUnavailable);
});

it.each([
  ['failed', 'transaction_expired'],
  ['failed', 'closed_on_record'],
  ['unused', 'payment_dropped'],
] as const)(
  'a payment that ended as %s (%s) pays once it is final after all',
  async (state, reason) => {
    await noted(state, reason);
    const transaction = transfer(till);
    expect(await ask({ transaction, status: null })).toBeNull();
    expect(await ask({ transaction, status: FINAL })).toBe(SIGNATURE);
  },
);

it('a payment under way is waited for', async () => {
  await noted('sent', null);
  await expect(ask({ transaction: transfer(till) })).rejects.toMatchObject({ code: 'in_progress' });
});
