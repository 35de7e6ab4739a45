import { Keypair, PublicKey, Transaction, TransactionInstruction } from '@solana/web3.js';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createTransferCheckedInstruction, getAssociatedTokenAddressSync } from '@solana/spl-token';
import { createRpc } from '@/server/chain/rpc';
import { MEMO_PROGRAMS } from '@quittance/verify/chain/programs';
import {
  httpStatus,
  startFakeNode,
  type Answer,
  type FakeNode,
} from '@/tests/harness/chain/fake-node';
import { randomIds } from '@/server/ids';
import { usdcMint } from '@/server/tokens/token-table';
import { trusted } from '@/server/trusted';
import { createTestDatabase, type TestDatabase } from '@/tests/harness/create-test-database';
import type { Call } from '../call';
import { closeFollowed } from '@/server/payments/awaited-payments';
import { sendPayment } from './send-payment';

const HEIGHT = 1_000;
const wallet = Keypair.generate();
const till = Keypair.generate().publicKey.toBase58();
const usdc = new PublicKey(usdcMint('local'));
const blockhash = Keypair.generate().publicKey.toBase58();
const refusal: Answer = { error: { code: -32002, message: 'insufficient funds' } };
let database: TestDatabase;
let quoteId: string;
const open: FakeNode[] = [];
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.close());
beforeEach(async () => {
  quoteId = randomIds.quoteId();
  const at = new Date();
  await database.prisma.quote.create({
    data: {
      id: quoteId,
      method: 'POST',
      path: '/statement',
      bodySha256: quoteId,
      payTo: till,
      priceMicros: 1n,
      wallet: wallet.publicKey.toBase58(),
      frozen: {},
      request: {},
      preparedAt: at,
      createdAt: at,
      mayBeSent: false,
      openUntil: new Date(at.getTime() + 60_000),
      keepUntil: new Date(at.getTime() + 600_000),
    },
  });
});
afterEach(async () => {
  await Promise.all(open.splice(0).map((node) => node.close()));
});

function accountOf(owner: PublicKey): PublicKey {
  return getAssociatedTokenAddressSync(usdc, owner, true);
}

type Terms = {
  amount?: bigint;
  to?: PublicKey;
  source?: PublicKey;
  mint?: PublicKey;
  decimals?: number;
  /** The wallet that is to pay without having signed. */
  unsigned?: PublicKey;
};

/** The transfer that pays the quote, but for what the terms change. */
function transferOf(by: PublicKey, o: Terms): TransactionInstruction {
  const owner = o.unsigned ?? by;
  const transfer = createTransferCheckedInstruction(
    o.source ?? accountOf(owner),
    o.mint ?? usdc,
    o.to ?? accountOf(new PublicKey(till)),
    owner,
    o.amount ?? 1n,
    o.decimals ?? 6,
  );
  const [, , , authority] = transfer.keys;
  if (authority) authority.isSigner = o.unsigned === undefined;
  return transfer;
}

function signed(by: Keypair = wallet, o: Terms | null = {}): string {
  const transaction = new Transaction({
    feePayer: by.publicKey,
    blockhash,
    lastValidBlockHeight: HEIGHT,
  }).add(
    ...(o === null ? [] : [transferOf(by.publicKey, o)]),
    new TransactionInstruction({
      programId: new PublicKey(MEMO_PROGRAMS.v3),
      keys: [],
      data: Buffer.from(quoteId),
    }),
  );
  transaction.sign(by);
  return transaction.serialize().toString('base64');
}

/** Sends it over nodes that answer so to the sending, and know of no transaction. */
async function send(...answers: Answer[]): Promise<{ signature: string }> {
  return sendSigned(signed(), answers);
}

async function sendSigned(transaction: string, answers: Answer[]): Promise<{ signature: string }> {
  const nodes = await Promise.all(
    answers.map((sending) =>
      startFakeNode(({ method }): Answer => {
        if (method === 'sendTransaction') return sending;
        const value =
          method === 'getLatestBlockhash' ? { blockhash, lastValidBlockHeight: HEIGHT } : [null];
        return { result: { context: { slot: 9_999 }, value } };
      }),
    ),
  );
  open.push(...nodes);
  const rpc = createRpc({ urls: nodes.map(({ url }) => url), timeoutMs: 2_000 });
  const call = trusted<Call>(
    { service: { rpc, db: database.prisma, env: { network: 'local' } } },
    'nothing else of it is read',
  );
  return sendPayment({ ...call, input: { quote_id: quoteId, transaction } });
}
const noted = () => database.prisma.quote.findUniqueOrThrow({ where: { id: quoteId } });

describe('the payment of a page that a node refuses', () => {
  it('is forgotten where no other node was asked before', async () => {
    await expect(send(refusal)).rejects.toMatchObject({ code: 'payment_not_sent' });
    expect(await noted()).toMatchObject({ paymentHint: null, mayBeSent: false });
  });

  it('does not end the wait for a payment that the same wallet may send', async () => {
    const awaited = { quoteId, wallet: wallet.publicKey.toBase58() };
    await database.prisma.quote.update({ where: { id: quoteId }, data: { mayBeSent: true } });
    await database.prisma.awaitedPayment.create({ data: { ...awaited, landsUntil: 5_000n } });
    await expect(send(refusal)).rejects.toMatchObject({ code: 'payment_not_sent' });
    expect(await noted()).toMatchObject({ paymentHint: null, mayBeSent: true });
    const left = await database.prisma.awaitedPayment.findMany({ where: { quoteId } });
    expect(left).toEqual([{ ...awaited, signature: null, landsUntil: 5_000n }]);
  });

  it('stays on record where a node before it may have taken it', async () => {
    const { signature } = await send(httpStatus(504), refusal);
    expect(await noted()).toMatchObject({ paymentHint: signature, mayBeSent: true });
  });

  it('may land for longer than the node says, because another may be ahead of it', async () => {
    await send(httpStatus(504), refusal);
    expect(await noted()).toMatchObject({ landsUntil: BigInt(HEIGHT + 64) });
  });
});

describe('a payment that was signed in another page', () => {
  const sent = () =>
    open.flatMap(({ calls }) => calls).filter(({ method }) => method === 'sendTransaction');

  it('is not sent once the quote has been used', async () => {
    await closeFollowed(database.prisma, quoteId);
    await expect(send(refusal)).rejects.toMatchObject({ code: 'in_progress' });
    expect(sent()).toEqual([]);
    expect(await noted()).toMatchObject({ paymentHint: null, mayBeSent: false });
  });

  it('is not sent while one of the same wallet for the same may land', async () => {
    const same = await noted();
    const other = randomIds.quoteId();
    await database.prisma.quote.create({
      data: { ...same, id: other, frozen: {}, request: {}, mayBeSent: true },
    });
    await database.prisma.awaitedPayment.create({
      data: {
        quoteId: other,
        wallet: wallet.publicKey.toBase58(),
        signature: 'the first',
        landsUntil: 9_999n,
      },
    });
    await expect(send(refusal)).rejects.toMatchObject({ code: 'in_progress' });
    expect(sent()).toEqual([]);
  });
});

it('a payment without the signature of a wallet that may pay is neither sent nor recorded', async () => {
  const stranger = signed(Keypair.generate());
  await expect(sendSigned(stranger, [refusal])).rejects.toMatchObject({ code: 'invalid_request' });
  expect(await noted()).toMatchObject({ paymentHint: null, mayBeSent: false });
  expect(open.flatMap(({ calls }) => calls)).toEqual([]);
});

it.each<[string, Terms | null]>([
  ['without a transfer', null],
  ['of another amount', { amount: 2n }],
  ['to another account', { to: Keypair.generate().publicKey }],
  ['of another token', { mint: Keypair.generate().publicKey }],
  ['from an account of somebody else', { source: Keypair.generate().publicKey }],
  ['of a token with other decimals', { decimals: 9 }],
])('a transaction %s is neither sent nor recorded', async (_, terms) => {
  const sent = sendSigned(signed(wallet, terms), [refusal]);
  await expect(sent).rejects.toMatchObject({ code: 'invalid_request' });
  expect(await noted()).toMatchObject({ paymentHint: null, mayBeSent: false });
  expect(open.flatMap(({ calls }) => calls)).toEqual([]);
});

it('a transfer that the payer did not sign does not block the payer', async () => {
  const forged = signed(Keypair.generate(), { unsigned: wallet.publicKey });
  await expect(sendSigned(forged, [refusal])).rejects.toMatchObject({ code: 'invalid_request' });
  expect(await noted()).toMatchObject({ paymentHint: null, mayBeSent: false });
  expect(await database.prisma.awaitedPayment.count({ where: { quoteId } })).toBe(0);
});
