import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import * as createReceiptModule from '../receipts/create-receipt';
import * as followQuoteModule from './follow-quote';
import * as lookForPaymentModule from './look-for-payment';
import { standIn } from '@/tests/harness/stand-in';
import { ServiceError, type ErrorCode } from '@/server/errors';
import { findQuote } from '@/server/payments/prepared-quotes';
import { trusted } from '@/server/trusted';
import { createTestDatabase, type TestDatabase } from '@/tests/harness/create-test-database';
import type { Actor, Call } from '../call';
import { resumeQuote } from './resume-purchase';

const world: { code: string } = { code: 'payment_too_old' };
standIn(createReceiptModule, {
  createReceipt: async () => {
    throw new ServiceError(trusted<ErrorCode>(world.code, 'the test names codes'), 'refused');
  },
});
standIn(followQuoteModule, {
  followQuote: async () => ({ state: 'paid', signature: 'of the seller' }),
});
standIn(lookForPaymentModule, {
  lookForPayment: async () => ({ state: 'paid', payment: { payer: 'seller' } }),
});

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.close());
beforeEach(async () => {
  await database.prisma.quote.deleteMany();
  const at = new Date();
  await database.prisma.quote.create({
    data: {
      id: 'QT',
      method: 'POST',
      path: '/mint',
      bodySha256: 'body',
      payTo: 'till',
      priceMicros: 1n,
      txSignature: 'tx',
      txPayer: 'payer',
      txSeller: 'seller',
      frozen: {},
      request: { tx_signature: '5'.repeat(88), service_type: 'API access' },
      preparedAt: at,
      createdAt: at,
      mayBeSent: true,
      openUntil: new Date(at.getTime() + 60_000),
      keepUntil: new Date(at.getTime() + 600_000),
      awaited: {
        create: ['payer', 'seller'].map((wallet) => ({
          wallet,
          signature: `of the ${wallet}`,
          landsUntil: 9n,
        })),
      },
    },
  });
});

const JOB = { kind: 'job', id: 'sweep', client: '' } as const;
const PAGE = { kind: 'anyone', id: 'page', client: '', limits: null, proof: null };

async function resume(code: string, actor: unknown = JOB): Promise<unknown> {
  world.code = code;
  const quote = await findQuote(database.prisma, 'QT');
  if (!quote) throw new Error('the quote is there');
  const call: Call = {
    service: trusted<Call['service']>({ db: database.prisma }, 'nothing else of it is read'),
    actor: trusted<Actor>(actor, 'who asks is all that is read'),
    input: null,
  };
  const isOpen = code === 'payment_not_seen_yet';
  if (isOpen) expect(await resumeQuote(call, quote)).toMatchObject({ state: 'waiting' });
  else await expect(resumeQuote(call, quote)).rejects.toMatchObject({ code });
  return findQuote(database.prisma, 'QT');
}

it('a final refusal closes a quote for the wallet that paid, and for no other', async () => {
  expect(await resume('payment_too_old')).toMatchObject({
    closedAt: null,
    closedFor: ['seller'],
    mayBeSent: true,
    awaited: [{ wallet: 'payer' }],
  });
});

it.each(['too_many_quotes', 'in_progress', 'chain_unavailable', 'payment_not_seen_yet'])(
  'a temporary refusal closes nothing: %s',
  async (code) => {
    expect(await resume(code)).toMatchObject({ closedFor: [], awaited: [{}, {}] });
  },
);

it('a refusal of the caller who asks for the quote closes nothing', async () => {
  expect(await resume('wallet_proof_invalid', PAGE)).toMatchObject({ closedFor: [] });
});
