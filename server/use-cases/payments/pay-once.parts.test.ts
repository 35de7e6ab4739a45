import {
  createAssociatedTokenAccountIdempotentInstruction,
  createTransferCheckedInstruction,
  getAssociatedTokenAddressSync,
} from '@solana/spl-token';
import { Keypair, PublicKey, Transaction, TransactionInstruction } from '@solana/web3.js';
import { MEMO_PROGRAMS } from '@quittance/verify/chain/programs';
import { RpcUnavailable } from '@quittance/verify/chain/rpc-errors';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startTestChain, type TestChain } from '@/devnet/chain/testing/test-chain';
import type { Prisma } from '@/generated/prisma/client';
import { createRpc, type Rpc } from '@/server/chain/rpc';
import { randomIds } from '@/server/ids';
import { findQuote } from '@/server/payments/prepared-quotes';
import { usdcMint } from '@/server/tokens/token-table';
import { trusted } from '@/server/trusted';
import { createTestDatabase, type TestDatabase } from '@/tests/harness/create-test-database';
import type { Call } from '../call';
import { findUnderWay } from './find-under-way';
import { followQuote } from './follow-quote';

const PRICE = 100_000n;
const MINUTE = 60_000;
const USDC = new PublicKey(usdcMint('local'));

let database: TestDatabase;
let chain: TestChain;
let honest: Rpc;
let payer: Keypair;
let till: PublicKey;
beforeAll(async () => {
  [database, chain] = await Promise.all([createTestDatabase(), startTestChain({ slotMs: 20 })]);
  honest = createRpc({ urls: [chain.url], timeoutMs: 10_000 });
  payer = await chain.wallet({ sol: 5, token: 'USDC', amount: '100' });
});
afterAll(() => Promise.all([database.close(), chain.close()]));
beforeEach(async () => {
  await database.prisma.quote.deleteMany();
  till = Keypair.generate().publicKey;
});

/** The behaviour of a node. Apart from this it knows everything on the chain. */
type Mood = 'honest' | 'hides' | 'silent' | 'still' | 'ahead';

function nodeOf(mood: Mood): Rpc {
  const shift = async (blocks: bigint) => {
    const tip = await honest.getFinalizedTip();
    return { slot: tip.slot + blocks, height: tip.height + blocks };
  };
  const silent = () => Promise.reject(new RpcUnavailable('it is silent'));
  switch (mood) {
    case 'honest':
      return honest;
    case 'hides':
      return {
        ...honest,
        getSignaturesForAddress: async () => [],
        getTransaction: async () => null,
      };
    case 'silent':
      return { ...honest, getSignaturesForAddress: silent, getFinalizedTip: silent };
    case 'still':
      return {
        ...nodeOf('hides'),
        getFinalizedTip: () => shift(-400n),
      };
    case 'ahead':
      return { ...nodeOf('hides'), getFinalizedTip: () => shift(9_000_000n) };
  }
}

/** The nodes in this order; what is asked of none in particular, the first one answers. */
function callOver(...moods: [Mood, ...Mood[]]): Call {
  const nodes = moods.map(nodeOf);
  const rpc: Rpc = {
    ...nodeOf(moods[0]),
    nodes: nodes.length,
    onNode: (node) => nodes[node] ?? honest,
    getTransaction: (...args) => honest.getTransaction(...args),
  };
  const env = { network: 'local', payTo: till.toBase58() };
  return trusted<Call>(
    { service: { rpc, db: database.prisma, env } },
    'nothing else of it is read',
  );
}

const wallet = () => payer.publicKey.toBase58();

/** A quote whose payment a page prepared, so that a wallet was handed something to sign. */
async function quoted(o: Partial<Prisma.QuoteCreateInput> = {}): Promise<string> {
  const now = Date.now();
  const id = randomIds.quoteId();
  await database.prisma.quote.create({
    data: {
      id,
      method: 'POST',
      path: '/mint',
      bodySha256: id,
      priceMicros: PRICE,
      payTo: till.toBase58(),
      txSignature: 'tx',
      txPayer: wallet(),
      txSeller: 'seller',
      frozen: {},
      request: {},
      preparedAt: new Date(now - MINUTE),
      createdAt: new Date(now - 2 * MINUTE),
      openUntil: new Date(now + 28 * MINUTE),
      keepUntil: new Date(now + 3_000 * MINUTE),
      ...o,
    },
  });
  return id;
}

/** Pays a quote in full and lets it become final. */
async function pay(memo: string, by: Keypair = payer): Promise<string> {
  const accountOf = (owner: PublicKey) => getAssociatedTokenAddressSync(USDC, owner, true);
  const { publicKey } = by;
  const transaction = new Transaction().add(
    createAssociatedTokenAccountIdempotentInstruction(publicKey, accountOf(till), till, USDC),
    createTransferCheckedInstruction(
      accountOf(publicKey),
      USDC,
      accountOf(till),
      publicKey,
      PRICE,
      6,
    ),
    new TransactionInstruction({
      programId: new PublicKey(MEMO_PROGRAMS.v3),
      keys: [],
      data: Buffer.from(memo),
    }),
  );
  transaction.recentBlockhash = chain.chain.latestBlockhash().blockhash;
  transaction.feePayer = publicKey;
  transaction.sign(by);
  const sent = await chain.send(transaction.serialize());
  if (sent.error) throw new Error(JSON.stringify(sent.error));
  await chain.slots(14);
  return String(sent.result);
}

async function prepared(id: string) {
  const quote = await findQuote(database.prisma, id);
  if (!quote) throw new Error('the quote is there');
  return quote;
}

async function ask(call: Call, id: string, nothingSent: boolean): Promise<string | null> {
  const asking = { wallet: wallet(), nothing_sent: nothingSent };
  return findUnderWay(call, await prepared(id), asking).catch((error: unknown) =>
    error instanceof Error && 'code' in error ? String(error.code) : String(error),
  );
}

describe.each([true, false])(
  'a page is asked to pay (its wallet said that it sent nothing: %s)',
  (said) => {
    it.each<[string, [Mood, ...Mood[]]]>([
      ['the first of two nodes hides it', ['hides', 'honest']],
      ['the second of two nodes hides it', ['honest', 'hides']],
      ['the first is silent', ['silent', 'honest']],
      ['two of three nodes hide it', ['hides', 'hides', 'honest']],
    ])('never while a payment of its quote is on chain and %s', async (_, moods) => {
      const id = await quoted();
      await pay(id);
      expect(await ask(callOver(...moods), id, said)).toBe(id);
    });

    it.each<[string, [Mood, ...Mood[]]]>([
      ['one of two nodes shows none and the other is silent', ['hides', 'silent']],
      ['one of two nodes shows none and the other stands still', ['hides', 'still']],
    ])('never on the word of one node, where %s', async (_, moods) => {
      const id = await quoted();
      expect(await ask(callOver(...moods), id, said)).toBe('payment_undecided');
      // The 402 named the memo of a quote that no page prepared, so any client may have paid it.
      const fresh = await quoted({ preparedAt: null, txSignature: 'another' });
      expect(await ask(callOver(...moods), fresh, said)).toBe('payment_undecided');
    });

    it.each<[string, [Mood, ...Mood[]]]>([
      ['two nodes do', ['honest', 'honest']],
      ['two of three do', ['honest', 'silent', 'honest']],
      ['the only one does', ['honest']],
    ])('once the nodes show that nothing was paid: %s', async (_, moods) => {
      expect(await ask(callOver(...moods), await quoted(), said)).toBeNull();
    });

    it('never where another quote for the same was paid late, after the wait for it had ended', async () => {
      const late = await quoted({ txSignature: 'one' });
      await pay(late);
      const id = await quoted({ txSignature: 'one' });
      expect(await ask(callOver('hides', 'honest'), id, said)).toBe(late);
    });
  },
);

it('a payment that was refused hides no other wallet’s, and is shown to its own', async () => {
  const other = await chain.wallet({ sol: 1, token: 'USDC', amount: '1' });
  const id = await quoted({ txSeller: other.publicKey.toBase58() });
  const refused = await pay(id);
  const later = await pay(id, other);
  const call = callOver('honest', 'honest');
  expect(await followQuote(call, await prepared(id))).toMatchObject({ signature: refused });
  const data = { closedFor: [wallet()] };
  await database.prisma.quote.update({ where: { id }, data });
  expect(await followQuote(call, await prepared(id))).toMatchObject({ signature: later });
  const own = { wallet: wallet() };
  expect(await followQuote(call, await prepared(id), own)).toMatchObject({ signature: refused });
});

it('a payment whose signature was noted buys nothing once it was refunded', async () => {
  const id = await quoted({ mayBeSent: true });
  const signature = await pay(id);
  const awaited = { quoteId: id, wallet: wallet(), signature, landsUntil: 1_000_000n };
  await database.prisma.awaitedPayment.create({ data: awaited });
  const call = callOver('honest', 'honest');
  expect(await followQuote(call, await prepared(id))).toMatchObject({ state: 'paid' });
  await database.prisma.ledgerRefund.create({
    data: {
      refundSignature: 'given back',
      paymentSignature: signature,
      token: 'USDC',
      amountRaw: PRICE,
      fromWallet: 'till',
      fromLedger: false,
      recordedAt: new Date(),
    },
  });
  expect(await followQuote(call, await prepared(id))).toMatchObject({
    state: 'nothing_paid',
    reason: 'not_counted',
    detail: expect.stringContaining('refunded'),
  });
});

describe('a page whose wallet sends its transactions, once its preparation is deleted', () => {
  const follow = async (call: Call, id: string, landsUntil?: bigint) =>
    followQuote(call, await prepared(id), {
      wallet: wallet(),
      ...(landsUntil === undefined ? {} : { landsUntil }),
    });

  it('learns of its payment, whichever node hides it', async () => {
    const id = await quoted();
    const signature = await pay(id);
    const pairs: [Mood, Mood][] = [
      ['hides', 'honest'],
      ['honest', 'hides'],
      ['silent', 'honest'],
    ];
    for (const moods of pairs)
      expect(await follow(callOver(...moods), id)).toMatchObject({ state: 'paid', signature });
  });

  it.each<[string, [Mood, ...Mood[]]]>([
    ['the other is silent', ['hides', 'silent']],
    ['the other stands still', ['hides', 'still']],
  ])('does not hear from one node alone that nothing was paid, where %s', async (_, moods) => {
    const id = await quoted();
    expect(await follow(callOver(...moods), id)).toMatchObject({ state: 'waiting' });
  });

  it('hears from two nodes that nothing was paid, once its transaction can no longer land', async () => {
    const id = await quoted();
    const both = callOver('honest', 'honest');
    expect(await follow(both, id)).toMatchObject({ state: 'nothing_paid', reason: 'not_sent' });
    const { height } = await honest.getFinalizedTip();
    expect(await follow(both, id, height + 100n)).toMatchObject({ state: 'waiting' });
    expect(await follow(both, id, height - 1n)).toMatchObject({ state: 'nothing_paid' });
    // A node that claims a height far above all others is past every time by its own word.
    const late = height + 1_000n;
    const pairs: [Mood, Mood][] = [
      ['ahead', 'honest'],
      ['honest', 'ahead'],
    ];
    for (const moods of pairs)
      expect(await follow(callOver(...moods), id, late)).toMatchObject({ state: 'waiting' });
  });
});
