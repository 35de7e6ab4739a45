import bs58 from 'bs58';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { TOKEN } from '@quittance/verify/chain/programs';
import { createRpc } from '@/server/chain/rpc';
import { tokenAddressOf } from '@quittance/verify/chain/token-accounts';
import type { ServiceContext } from '@/server/context';
import type { Env } from '@/server/env';
import { paymentNetwork } from '@/server/payments/prices';
import { trusted } from '@/server/trusted';
import { type Answer, nodeOfTest } from '@/tests/harness/chain/fake-node';
import { BLOCK_TIME, MadeTransaction, named } from '@/tests/harness/chain/made-transaction';
import { createTestDatabase, type TestDatabase } from '@/tests/harness/create-test-database';
import { emptyReport, rebuildPayments } from './rebuild-payments';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.close());
beforeEach(() => database.prisma.payment.deleteMany());

/** The signature of {@link MadeTransaction}. */
const SIGNATURE = bs58.encode(Buffer.alloc(64, 7));
const till = named('the till');
const { usdcMint: mint } = paymentNetwork('local');

/** A node whose history names the payment, and that gives it as this wallet's or not at all. */
async function nodeShowing(payer: string | null): Promise<string> {
  const account = await tokenAddressOf({ wallet: till, mint, tokenProgram: TOKEN });
  const transaction =
    payer === null
      ? null
      : new MadeTransaction({ feePayer: payer })
          .account(account, { owner: 'the till', amount: 0n, mint })
          .account('purse', { owner: payer, amount: 9_000_000n, mint })
          .send('purse', account, 5_000_000n, { authority: payer })
          .raw();
  const line = {
    signature: SIGNATURE,
    slot: 10,
    err: null,
    memo: null,
    blockTime: BLOCK_TIME,
    confirmationStatus: 'finalized',
  };
  const node = await nodeOfTest(({ method, params }): Answer => {
    if (method === 'getTransaction') return { result: transaction };
    if (method !== 'getSignaturesForAddress') return { error: { code: -32601, message: 'no' } };
    const isBehind = JSON.stringify(params).includes(SIGNATURE);
    return { result: isBehind ? [] : [line] };
  });
  return node.url;
}

/** The rows that a rebuild over such nodes restores, and its report about the rest. */
async function rebuild(...payers: (string | null)[]) {
  const urls = await Promise.all(payers.map(nodeShowing));
  const service = trusted<ServiceContext>(
    {
      db: database.prisma,
      rpc: createRpc({ urls, timeoutMs: 2_000 }),
      env: trusted<Env>(
        { network: 'local', payTo: till, feePayer: { publicKey: named('fee payer') } },
        'all that is read of it',
      ),
      clock: { now: () => new Date() },
      ids: { paymentId: () => 'PAY' },
    },
    'nothing else of it is read',
  );
  const report = emptyReport(() => undefined);
  await rebuildPayments(service, report, []);
  const { payer } = (await database.prisma.payment.findFirst()) ?? { payer: null };
  const failure = report.result.failed.find(({ signature }) => signature === SIGNATURE);
  return { payer, why: failure?.why };
}

it('brings a payment back as that of the wallet that two nodes show', async () => {
  expect(await rebuild('payer', 'payer')).toEqual({ payer: named('payer'), why: undefined });
});

it('brings back none that one node alone shows, because its payer would get the refund', async () => {
  expect(await rebuild('liar', null)).toEqual({ payer: null, why: 'only one node shows it' });
});

it('brings back what the only node shows', async () => {
  expect(await rebuild('payer')).toEqual({ payer: named('payer'), why: undefined });
});
