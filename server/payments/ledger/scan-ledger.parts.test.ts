import {
  getAssociatedTokenAddressSync,
  createCloseAccountInstruction,
  createSyncNativeInstruction,
  createAssociatedTokenAccountIdempotentInstruction,
  NATIVE_MINT,
} from '@solana/spl-token';
import { PublicKey, SystemProgram, Transaction } from '@solana/web3.js';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { fundWallet } from '@/devnet/client/fund-wallet';
import { payToken, sendAndConfirm, TOKENS } from '@/devnet/client/pay-token';
import { setFaults } from '@/devnet/client/set-faults';
import { makeWallet, type Wallet } from '@/devnet/client/wallet';
import { startTestChain, type TestChain } from '@/devnet/chain/testing/test-chain';
import { createRpc, type Rpc } from '@/server/chain/rpc';
import { RpcUnavailable } from '@quittance/verify/chain/rpc-errors';
import type { Env } from '@/server/env';
import { trusted } from '@/server/trusted';
import { createTestDatabase, type TestDatabase } from '@/tests/harness/create-test-database';
import type { NoteContext } from './note-transactions';
import { reconcile } from './reconcile';
import { scanLedger } from './scan-ledger';

const MOST_MS = 60_000;
const FINALITY_SLOTS = 4;

let chain: TestChain;
let database: TestDatabase;
let payer: Wallet;
/** A fresh PAY_TO for each test. */
let till: Wallet;
let rpc: Rpc;

beforeAll(async () => {
  chain = await startTestChain({ slotMs: 50, finalityLag: FINALITY_SLOTS });
  database = await createTestDatabase();
  payer = makeWallet();
  for (const token of ['USDC', 'USDT', 'PYUSD'])
    await fundWallet(chain.url, { wallet: payer.address, sol: 5, token, amount: '1000' });
  rpc = createRpc({ urls: [chain.url], timeoutMs: 5_000 });
});
afterAll(async () => {
  await chain.close();
  await database.close();
});
beforeEach(async () => {
  await setFaults(chain.url, null);
  const { prisma } = database;
  await prisma.ledgerEntry.deleteMany();
  await prisma.ledgerAccount.deleteMany();
  await prisma.ledgerRefund.deleteMany();
  till = makeWallet();
});

const context = (using: Rpc = rpc): NoteContext => ({
  db: database.prisma,
  rpc: using,
  env: trusted<Env>({ network: 'local', payTo: till.address }, 'all that is read of it'),
});
const scan = (using?: Rpc) => scanLedger(context(using), { mostMs: MOST_MS });
const rows = () =>
  database.prisma.ledgerEntry.findMany({
    where: { direction: { not: 'none' } },
    orderBy: [{ slot: 'asc' }, { account: 'asc' }],
  });
const sums = async () => {
  const entries = await rows();
  return entries.map(({ token, direction, amountRaw }) => [token, direction, amountRaw]);
};

/** Waits until every transaction sent so far is final. */
async function settle(): Promise<void> {
  await chain.slots(FINALITY_SLOTS + 3);
}
const give = (amount: bigint, token: keyof typeof TOKENS = 'USDC', memo?: string) =>
  payToken(chain.url, {
    from: payer,
    to: till.address,
    token,
    amount,
    ...(memo === undefined ? {} : { memo }),
  });
const sendSol = (from: Wallet, to: string, lamports: number) =>
  sendAndConfirm(
    chain.url,
    new Transaction().add(
      SystemProgram.transfer({
        fromPubkey: from.keypair.publicKey,
        toPubkey: new PublicKey(to),
        lamports,
      }),
    ),
    [from.keypair],
  );

describe('a scan of the ledger', () => {
  it('finds what arrived in USDC, USDT, PYUSD, SOL, with its payer and memo', async () => {
    const usdc = await give(100_000n, 'USDC', 'QT000000000000000000');
    await give(2_000_000n, 'USDT');
    await give(3_000_000n, 'PYUSD');
    await sendSol(payer, till.address, 50_000_000);
    await settle();
    expect(await scan()).toMatchObject({ noted: 4, differing: 0, unfinished: 0 });
    expect((await sums()).sort()).toEqual([
      ['PYUSD', 'in', 3_000_000n],
      ['SOL', 'in', 50_000_000n],
      ['USDC', 'in', 100_000n],
      ['USDT', 'in', 2_000_000n],
    ]);
    expect((await rows()).find(({ signature }) => signature === usdc)).toMatchObject({
      wallet: till.address,
      parties: [{ owner: payer.address, amount: '100000' }],
      memos: ['QT000000000000000000'],
      position: 0,
      purpose: null,
    });
    expect(await scan()).toMatchObject({ noted: 0, differing: 0 });
    expect(await rows()).toHaveLength(4);
  });

  it('separates a refund from its network fee and rent, and wrapping from a payment', async () => {
    await fundWallet(chain.url, { wallet: till.address, sol: 1 });
    await give(500_000n);
    const stranger = makeWallet();
    const back = { from: till, to: stranger.address, token: 'USDC', amount: 200_000n } as const;
    const sent = await payToken(chain.url, back);
    const wrapped = getAssociatedTokenAddressSync(NATIVE_MINT, till.keypair.publicKey);
    const { publicKey } = till.keypair;
    await sendAndConfirm(
      chain.url,
      new Transaction().add(
        createAssociatedTokenAccountIdempotentInstruction(
          publicKey,
          wrapped,
          publicKey,
          NATIVE_MINT,
        ),
        SystemProgram.transfer({ fromPubkey: publicKey, toPubkey: wrapped, lamports: 1_000_000 }),
        createSyncNativeInstruction(wrapped),
      ),
      [till.keypair],
    );
    await sendAndConfirm(
      chain.url,
      new Transaction().add(createCloseAccountInstruction(wrapped, publicKey, publicKey)),
      [till.keypair],
    );
    await settle();
    expect(await scan()).toMatchObject({ differing: 0, unfinished: 0 });
    const of = await rows();
    const ofSent = of.filter(({ signature }) => signature === sent);
    expect(ofSent.find(({ token }) => token === 'SOL')).toMatchObject({
      direction: 'out',
      amountRaw: 2_044_280n,
      costRaw: 2_044_280n,
      purpose: 'cost',
    });
    expect(ofSent.find(({ token }) => token === 'USDC')).toMatchObject({
      direction: 'out',
      amountRaw: 200_000n,
      costRaw: 0n,
      purpose: null,
      parties: [{ owner: stranger.address, amount: '200000' }],
    });
    expect(of.filter(({ token }) => token === 'wSOL')).toMatchObject([
      { direction: 'in', amountRaw: 1_000_000n, purpose: 'internal' },
      { direction: 'out', amountRaw: 1_000_000n, purpose: 'internal' },
    ]);
    const books = await reconcile(database.prisma);
    for (const { cameIn, bought, refunded, unused } of books)
      expect(cameIn).toBe(bought + refunded + unused);
    for (const one of books)
      expect(one.cameIn + one.internal - one.withdrawn - one.costs - one.unexplained).toBe(
        one.balance,
      );
  });

  it('pages a history to its end and keeps what two scans at once find once', async () => {
    const sent = [];
    for (let n = 0; n < 12; n += 1) sent.push(await give(BigInt(100 + n)));
    await settle();
    const short = withPages(rpc, 5);
    await Promise.all([scan(short), scan(short)]);
    const found = (await rows()).filter(({ token }) => token === 'USDC');
    expect(found.map(({ signature }) => signature).sort()).toEqual([...sent].sort());
  });

  it('begun again after it broke off anywhere loses and doubles nothing', async () => {
    const sent = [];
    for (let n = 0; n < 6; n += 1) sent.push(await give(BigInt(100 + n)));
    await settle();
    for (let at = 0; at < 12; at += 1) await scan(breakingOff(rpc, at)).catch(() => undefined);
    expect(await scan()).toMatchObject({ differing: 0, unfinished: 0 });
    const found = (await rows()).filter(({ token }) => token === 'USDC');
    expect(found.map(({ amountRaw }) => amountRaw)).toEqual([100n, 101n, 102n, 103n, 104n, 105n]);
    expect(found.map(({ signature }) => signature)).toEqual(sent);
  });
});

describe('a node that shortens a history in silence', () => {
  it('leaves a difference that is noted, and no row is lost', async () => {
    const [first, hidden, last] = [await give(1_000n), await give(2_000n), await give(3_000n)];
    await settle();
    await setFaults(chain.url, { shortenHistory: [hidden] });
    expect(await scan()).toMatchObject({ noted: 2, differing: 1 });
    expect(await account()).toMatchObject({ differenceRaw: 2_000n, upToSlot: null });
    expect((await account()).differsSince).not.toBeNull();
    await setFaults(chain.url, null);
    expect(await scan()).toMatchObject({ noted: 1, differing: 0 });
    expect(await account()).toMatchObject({ differenceRaw: 0n, differsSince: null });
    const found = await database.prisma.ledgerEntry.findMany({
      where: { token: 'USDC', direction: 'in' },
      orderBy: { slot: 'asc' },
    });
    expect(found.map(({ signature }) => signature)).toEqual([first, hidden, last]);
  });

  it('in old history is found by a scan from the beginning', async () => {
    const old = await give(1_000n);
    await settle();
    await scan();
    // Simulates a lost row: an old node may have returned less than there was.
    const { slot } = await database.prisma.ledgerEntry.findFirstOrThrow({
      where: { signature: old },
    });
    await database.prisma.ledgerEntry.deleteMany({ where: { signature: old } });
    await database.prisma.ledgerAccount.updateMany({ data: { upToSlot: slot + 10_000n } });
    expect(await scan()).toMatchObject({ differing: 1 });
    expect(await scan()).toMatchObject({ noted: 1, differing: 0 });
  });

  it('does not keep a row that another node lists', async () => {
    const { url } = trusted<{ url: string }>(
      (await chain.post('/_nodes', { lagSlots: 0 })).body,
      'the answer of the route',
    );
    const both = createRpc({ urls: [chain.url, url], timeoutMs: 5_000 });
    // Two that cancel each other out leave no difference in the balance.
    await fundWallet(chain.url, { wallet: till.address, sol: 1 });
    const came = await give(5_000n);
    const went = await payToken(chain.url, {
      from: till,
      to: payer.address,
      token: 'USDC',
      amount: 5_000n,
    });
    await settle();
    await setFaults(chain.url, { shortenHistory: [came, went] });
    expect(await scan(both)).toMatchObject({ differing: 0, unfinished: 0 });
    const found = (await rows()).filter(({ token }) => token === 'USDC');
    expect(found.map(({ signature }) => signature)).toEqual([came, went]);
  });

  it('alone of two does not move the saved position', async () => {
    const both = createRpc({ urls: [chain.url, 'http://127.0.0.1:9'], timeoutMs: 1_000 });
    await give(5_000n);
    await settle();
    const { differing, agreed, unfinished, noted } = await scan(both);
    expect([noted, differing, agreed]).toEqual([1, 0, 0]);
    expect(unfinished).toBeGreaterThan(0);
    expect((await account()).upToSlot).toBeNull();
  });
});

async function account() {
  return database.prisma.ledgerAccount.findUniqueOrThrow({
    where: {
      account: getAssociatedTokenAddressSync(
        new PublicKey(TOKENS.USDC.mint),
        till.keypair.publicKey,
      ).toBase58(),
    },
  });
}

/** Every page has so many lines at most, as nodes may do. */
function withPages(inner: Rpc, most: number): Rpc {
  return {
    ...inner,
    onNode: (index) => withPages(inner.onNode(index), most),
    getSignaturesForAddress: (address, o = {}) =>
      inner.getSignaturesForAddress(address, { ...o, limit: most }),
  };
}

/** Breaks off at its n-th transaction, like a process that dies there. */
function breakingOff(inner: Rpc, at: number): Rpc {
  let left = at;
  const spend = (): void => {
    left -= 1;
    if (left < 0) throw new RpcUnavailable('the process died');
  };
  const over = (one: Rpc): Rpc => ({
    ...one,
    onNode: (index) => over(one.onNode(index)),
    takesBatches: () => false,
    getTransaction: async (...args) => {
      spend();
      return one.getTransaction(...args);
    },
  });
  return over(inner);
}
