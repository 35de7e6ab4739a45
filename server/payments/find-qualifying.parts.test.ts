import {
  createAssociatedTokenAccountIdempotentInstruction,
  createTransferCheckedInstruction,
  getAssociatedTokenAddressSync,
} from '@solana/spl-token';
import { Keypair, PublicKey, Transaction, TransactionInstruction } from '@solana/web3.js';
import bs58 from 'bs58';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startTestChain, type TestChain } from '@/devnet/chain/testing/test-chain';
import { createRpc, type Rpc } from '@/server/chain/rpc';
import { randomIds } from '@/server/ids';
import { createTestDatabase, type TestDatabase } from '@/tests/harness/create-test-database';
import { findQualifying, shortfallOf } from './find-qualifying';
import type { QuoteTerms } from './quotes';

const MINTS = {
  USDC: new PublicKey('EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v'),
  USDT: new PublicKey('Es9vMFrzaCERmJfrF4H2FYD4KCoNkY11McCe8BenwNYB'),
};
const MEMO = new PublicKey('MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr');
const PRICE = 100_000n;
const MINUTE = 60_000;
/** More than two pages of history: see `smallPages`. */
const DUST = 150;

let database: TestDatabase;
let chain: TestChain;
let rpc: Rpc;
/** The same node, whose pages hold 60 transactions instead of 1,000. */
let smallPages: Rpc;
let till: PublicKey;
let payer: Keypair;
let stranger: Keypair;
let quote: QuoteTerms;
beforeAll(async () => {
  [database, chain] = await Promise.all([createTestDatabase(), startTestChain({ slotMs: 20 })]);
  rpc = createRpc({ urls: [chain.url], timeoutMs: 10_000 });
  smallPages = {
    ...rpc,
    getSignaturesForAddress: (address, o) =>
      rpc.getSignaturesForAddress(address, { ...o, limit: 60 }),
  };
  till = Keypair.generate().publicKey;
  payer = await chain.wallet({ sol: 5, token: 'USDC', amount: '100' });
  stranger = await chain.wallet({ sol: 50, token: 'USDC', amount: '100' });
  for (const wallet of [payer.publicKey, stranger.publicKey])
    await chain.post('/faucet', { wallet: wallet.toBase58(), token: 'USDT', amount: '10' });
  await chain.slots(3);
});
afterAll(() => Promise.all([database.close(), chain.close()]));
beforeEach(() => {
  const now = Date.now();
  quote = {
    id: randomIds.quoteId(),
    method: 'POST',
    path: '/mint',
    bodySha256: 'body',
    priceMicros: PRICE,
    payTo: till.toBase58(),
    txSignature: 'tx',
    wallet: null,
    txPayer: payer.publicKey.toBase58(),
    txSeller: 'seller',
    openedSlot: 1n,
    clientHash: null,
    paymentHint: null,
    request: null,
    preparedAt: null,
    preparedBy: null,
    mayBeSent: true,
    landsUntil: null,
    lookedAt: null,
    closedAt: null,
    closedFor: [],
    createdAt: new Date(now - MINUTE),
    openUntil: new Date(now + 29 * MINUTE),
    keepUntil: new Date(now + 3_000 * MINUTE),
  };
});

type Payment = { amount?: bigint; token?: keyof typeof MINTS; memo?: string; salt?: number };
/** A payment to the till, signed; `salt` makes one of many alike its own. */
function sign(from: Keypair, o: Payment = {}) {
  const { amount = PRICE, token = 'USDC', memo = quote.id, salt = 0 } = o;
  const mint = MINTS[token];
  const accountOf = (owner: PublicKey) => getAssociatedTokenAddressSync(mint, owner, true);
  const transaction = new Transaction().add(
    createAssociatedTokenAccountIdempotentInstruction(from.publicKey, accountOf(till), till, mint),
    createTransferCheckedInstruction(
      accountOf(from.publicKey),
      mint,
      accountOf(till),
      from.publicKey,
      amount,
      6,
    ),
    new TransactionInstruction({ programId: MEMO, keys: [], data: Buffer.from(memo) }),
    ...(salt > 0
      ? [new TransactionInstruction({ programId: MEMO, keys: [], data: Buffer.from(`${salt}`) })]
      : []),
  );
  transaction.recentBlockhash = chain.chain.latestBlockhash().blockhash;
  transaction.feePayer = from.publicKey;
  transaction.sign(from);
  return { wire: transaction.serialize(), signature: bs58.encode(transaction.signature ?? []) };
}
/** Sends one and returns its signature, in a later slot than those before. */
async function pay(from: Keypair, o: Payment = {}, config: object = {}): Promise<string> {
  const { wire, signature } = sign(from, o);
  const sent = await chain.send(wire, config);
  if (sent.error) throw new Error(JSON.stringify(sent.error));
  await chain.slots(2);
  return signature;
}
/** Lets everything become final, so that no scan leaves out unconfirmed payments. */
const settle = () => chain.slots(12);

async function find(o: { mostReads?: number; history?: Rpc; rpc?: Rpc } = {}) {
  await settle();
  const account = getAssociatedTokenAddressSync(MINTS.USDC, till, true).toBase58();
  return findQualifying(
    { history: o.history ?? smallPages, rpc: o.rpc ?? rpc, db: database.prisma },
    {
      quote,
      payers: [payer.publicKey.toBase58(), 'seller'],
      payTo: { wallet: till.toBase58(), account, mint: MINTS.USDC.toBase58() },
      mostReads: o.mostReads ?? 10_000,
    },
  );
}

describe('the payment of a quote, found by its memo', () => {
  it('is not the earliest with the memo but the earliest that qualifies', async () => {
    await pay(stranger, { amount: 1n });
    // All of the price, by a wallet that may not pay.
    await pay(stranger);
    // Halves are not added up.
    for (const salt of [1, 2]) await pay(payer, { amount: PRICE / 2n, salt });
    await pay(payer, { amount: PRICE - 1n });
    await pay(payer, { token: 'USDT' });
    await pay(payer, { amount: 1_000_000_000n }, { skipPreflight: true });
    expect(await find()).toEqual({ state: 'none', shortfall: expect.stringContaining('0.099999') });
    const first = await pay(payer);
    await pay(payer, { salt: 2 });
    expect(await find()).toEqual({ state: 'found', signature: first });
  });

  it('is read from all nodes, also where the history is one node’s that cannot show it', async () => {
    const signature = await pay(payer);
    const blind: Rpc = {
      ...smallPages,
      getTransaction: async (...args) => {
        const raw = await rpc.getTransaction(...args);
        return raw && { ...raw, meta: null };
      },
    };
    expect(await find({ history: blind })).toEqual({ state: 'found', signature });
  });

  it('is not decided while a history names an earlier one that no node returns', async () => {
    const [first, second] = [await pay(payer, { salt: 1 }), await pay(payer, { salt: 2 })];
    const without: Rpc = {
      ...rpc,
      getTransaction: async (signature, ...rest) =>
        signature === first ? null : rpc.getTransaction(signature, ...rest),
    };
    expect(await find({ rpc: without })).toEqual({ state: 'unread' });
    expect(await find()).toEqual({ state: 'found', signature: first });
    expect(second).not.toBe(first);
  });

  it('is not hidden by an earlier one that one of two nodes alone shows', async () => {
    const [invented, real] = [await pay(payer, { salt: 1 }), await pay(payer, { salt: 2 })];
    const hides: Rpc = {
      ...rpc,
      getTransaction: async (signature, ...rest) =>
        signature === invented ? null : rpc.getTransaction(signature, ...rest),
    };
    const both: Rpc = { ...rpc, nodes: 2, onNode: (node) => (node === 0 ? rpc : hides) };
    expect(await find({ rpc: both })).toEqual({ state: 'found', signature: real });
  });

  it('is not passed over, now or later, because one of two nodes shows it without its memo', async () => {
    const signature = await pay(payer);
    const liar: Rpc = {
      ...rpc,
      getTransaction: async (...args) => {
        const raw = await rpc.getTransaction(...args);
        const coded = (text: string) => bs58.encode(Buffer.from(text));
        const text = JSON.stringify(raw).replaceAll(coded(quote.id), coded(randomIds.quoteId()));
        return JSON.parse(text) as typeof raw;
      },
    };
    const both: Rpc = { ...liar, nodes: 2, onNode: (node) => (node === 0 ? liar : rpc) };
    expect(await find({ rpc: both })).toEqual({ state: 'unread' });
    expect(await find()).toEqual({ state: 'found', signature });
  });

  it('is not skipped permanently because of a reading before it was final', async () => {
    const signature = await pay(payer);
    const young: Rpc = {
      ...smallPages,
      getSignaturesForAddress: async (...args) =>
        (await smallPages.getSignaturesForAddress(...args)).map((line) => ({
          ...line,
          final: false,
        })),
    };
    const forked: Rpc = {
      ...rpc,
      getTransaction: async (...args) => {
        const raw = await rpc.getTransaction(...args);
        return raw?.meta ? { ...raw, meta: { ...raw.meta, err: 'AccountInUse' } } : raw;
      },
    };
    expect(await find({ history: young, rpc: forked })).toMatchObject({ state: 'none' });
    expect(await find()).toEqual({ state: 'found', signature });
  });

  it('does not count when it names another quote as well, or was made after the quote ended', async () => {
    const { wire, signature } = sign(payer);
    await chain.send(wire);
    quote = { ...quote, createdAt: new Date(Date.now() - 40 * MINUTE) };
    quote.openUntil = new Date(Date.now() - 10 * MINUTE);
    // If only one of two nodes shows it, its time proves nothing.
    const blind: Rpc = { ...rpc, getTransaction: async () => null };
    const both: Rpc = { ...rpc, nodes: 2, onNode: (node) => (node === 0 ? rpc : blind) };
    expect(await find({ rpc: both })).toEqual({ state: 'unread' });
    expect(await find()).toMatchObject({
      state: 'none',
      shortfall: expect.stringContaining('open'),
    });
    // Prolonged meanwhile: a payment that was too late for the quote then is no longer late.
    quote.openUntil = new Date(Date.now() + MINUTE);
    expect(await find()).toEqual({ state: 'found', signature });
  });

  it('is the second that qualifies where the first was refunded or bought something else', async () => {
    const [refunded, elsewhere, good] = [
      await pay(payer, { salt: 1 }),
      await pay(payer, { salt: 2 }),
      await pay(payer, { salt: 3 }),
    ];
    const row = { dialect: 'documented', payTo: 'till', requestSha256: 'r' };
    const times = { createdAt: new Date(), updatedAt: new Date() };
    await database.prisma.payment.createMany({
      data: [
        { ...row, ...times, id: 'P1', signature: refunded, state: 'refunded' },
        { ...row, ...times, id: 'P2', signature: elsewhere, state: 'used', quoteId: 'QTOTHER' },
      ],
    });
    expect(await find()).toEqual({ state: 'found', signature: good });
    // A payment that bought this very quote is still its payment.
    await database.prisma.payment.update({ where: { id: 'P2' }, data: { quoteId: quote.id } });
    expect(await find()).toEqual({ state: 'found', signature: elsewhere });
  });

  it('is not one with too little left after its refunds', async () => {
    const [first, second] = [
      await pay(payer, { salt: 1 }),
      await pay(payer, { salt: 2, amount: PRICE + 5n }),
    ];
    const refund = (n: number, paymentSignature: string, amountRaw: bigint) => ({
      refundSignature: `refund ${n}`,
      paymentSignature,
      token: 'USDC',
      amountRaw,
      fromWallet: 'till',
      fromLedger: false,
      recordedAt: new Date(),
    });
    await database.prisma.ledgerRefund.create({ data: refund(1, first, 1n) });
    // A refunded surplus leaves the price.
    await database.prisma.ledgerRefund.create({ data: refund(2, second, 5n) });
    expect(await find()).toEqual({ state: 'found', signature: second });
    await database.prisma.ledgerRefund.create({ data: refund(3, second, PRICE) });
    expect(await find()).toEqual({
      state: 'none',
      shortfall: expect.stringContaining('was refunded'),
    });
  });

  it('is found behind dust that is not final yet, part of it in each search', async () => {
    for (let salt = 1; salt <= 40; salt += 1)
      await chain.send(sign(payer, { amount: 1n, salt }).wire, { skipPreflight: true });
    await settle();
    const own = await pay(payer);
    const young: Rpc = {
      ...rpc,
      getSignaturesForAddress: async (...args) =>
        (await rpc.getSignaturesForAddress(...args)).map((line) => ({ ...line, final: false })),
    };
    const looks = [];
    for (let n = 0; n < 3; n += 1) looks.push(await find({ mostReads: 16, history: young }));
    expect(looks.at(-1)).toEqual({ state: 'found', signature: own });
  });

  it('is found behind invented transactions of a node, part of them in each search', async () => {
    const own = await pay(payer);
    await settle();
    const [real] = await rpc.getSignaturesForAddress(
      getAssociatedTokenAddressSync(MINTS.USDC, till, true).toBase58(),
    );
    if (!real) throw new Error('the payment is in the history');
    const invented = Array.from({ length: 40 }, () => ({
      ...real,
      signature: bs58.encode(Keypair.generate().secretKey),
    }));
    const inventive: Rpc = {
      ...rpc,
      getSignaturesForAddress: async (_, { before } = {}) =>
        before === undefined ? [real, ...invented] : [],
    };
    const looks = [];
    for (let n = 0; n < 3; n += 1) looks.push(await find({ mostReads: 16, history: inventive }));
    expect(looks.at(-1)).toEqual({ state: 'found', signature: own });
    // The same signature in another slot is checked again.
    const before = rpc.calls.get('getTransaction') ?? 0;
    const moved = invented.map((line) => ({ ...line, slot: line.slot - 1n }));
    await find({
      history: {
        ...inventive,
        getSignaturesForAddress: async (_, o = {}) =>
          o.before === undefined ? [real, ...moved] : [],
      },
    });
    expect((rpc.calls.get('getTransaction') ?? 0) - before).toBeGreaterThan(40);
  });

  it('is found behind the dust of a wallet that may pay, part of it in each search', async () => {
    for (let salt = 1; salt <= 40; salt += 1)
      await chain.send(sign(payer, { amount: 1n, salt }).wire, { skipPreflight: true });
    await settle();
    const own = await pay(payer);
    expect(await find({ mostReads: 16 })).toEqual({ state: 'unread' });
    expect(await find({ mostReads: 16 })).toEqual({ state: 'unread' });
    expect(await find({ mostReads: 16 })).toEqual({ state: 'found', signature: own });
  });

  it('is found behind the dust of a stranger, over several pages, part of it in each search', async () => {
    for (let n = 1; n <= DUST; n += 25) {
      const some = Array.from({ length: 25 }, (_, k) =>
        sign(stranger, { amount: 1n, salt: n + k }),
      );
      await Promise.all(some.map(({ wire }) => chain.send(wire, { skipPreflight: true })));
      await chain.slots(1);
    }
    await settle();
    const own = await pay(payer);
    expect(await find({ mostReads: 32 })).toEqual({ state: 'unread' });
    const before = rpc.calls.get('getTransaction') ?? 0;
    // A transaction that was read once and can never qualify is not read again.
    let found = await find({ mostReads: 32 });
    for (let look = 0; look < 10 && found.state === 'unread'; look += 1)
      found = await find({ mostReads: 32 });
    expect(found).toEqual({ state: 'found', signature: own });
    const read = (rpc.calls.get('getTransaction') ?? 0) - before;
    expect(read).toBeGreaterThan(DUST - 64);
    expect(read).toBeLessThanOrEqual(DUST + 16);
  });
});

describe('a payment with the memo of a quote', () => {
  const lacks = (o: Partial<Parameters<typeof shortfallOf>[1]> = {}) =>
    shortfallOf(
      { quote, payers: ['payer', 'seller'] },
      {
        signature: 'sig',
        slot: 9n,
        payer: 'payer',
        payTo: quote.payTo,
        amountMicros: PRICE,
        blockTime: new Date(),
        memos: [quote.id],
        ...o,
      },
    );

  it('lacks nothing when it is all that was asked for, or more', () => {
    expect(lacks()).toBeNull();
    expect(
      lacks({ payer: 'seller', amountMicros: PRICE + 1n, memos: ['hi', quote.id] }),
    ).toBeNull();
  });

  it.each<[string, () => Parameters<typeof lacks>[0]]>([
    ['does not name this offer alone', () => ({ memos: [quote.id, randomIds.quoteId()] })],
    ['does not name this offer alone', () => ({ memos: [randomIds.quoteId()] })],
    ['does not name this offer alone', () => ({ memos: [] })],
    ['went to another wallet', () => ({ payTo: 'another till' })],
    ['may not pay for this', () => ({ payer: 'stranger' })],
    ['it pays 0.099999 USDC of 0.1 USDC', () => ({ amountMicros: PRICE - 1n })],
    ['not open in its block', () => ({ blockTime: new Date(Date.now() - 9 * MINUTE) })],
    ['not open in its block', () => ({ blockTime: new Date(Date.now() + 40 * MINUTE) })],
  ])('buys nothing when it %s', (why, o) => {
    expect(lacks(o())).toContain(why);
  });
});
