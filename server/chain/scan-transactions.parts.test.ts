import { createHash } from 'node:crypto';
import bs58 from 'bs58';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { createTestDatabase, type TestDatabase } from '@/tests/harness/create-test-database';
import type { Env } from '@/server/env';
import { trusted } from '@/server/trusted';
import { TOKEN } from '@quittance/verify/chain/programs';
import { createRpc } from './rpc';
import { RpcUnavailable } from '@quittance/verify/chain/rpc-errors';
import { scanPair } from './scan-wallet';
import { pageOf as pageOfHistories, scanTransactions } from './scan-transactions';
import { loadTransferReading } from './stored-reading';
import {
  httpStatus,
  startFakeNode,
  type Answer,
  type FakeNode,
} from '../../tests/harness/chain/fake-node';
import { MadeTransaction, named, USDC } from '../../tests/harness/chain/made-transaction';
import { tokenAddressOf } from '@quittance/verify/chain/token-accounts';

const DAY = 86_400;
const FROM = 1_750_000_000;
const period = { from: new Date(FROM * 1000), until: new Date((FROM + DAY) * 1000) };
const [A, B] = [named('wallet a'), named('wallet b')];

type Line = {
  signature: string;
  slot: number;
  blockTime: number | null;
  err: unknown;
  confirmationStatus: string;
};
let database: TestDatabase;
let node: FakeNode;
let accounts: { a: string; b: string };
/** Histories by account, newest first. */
let histories: Map<string, Line[]>;
let open: Map<string, string[]>;
/** The answer of getTransaction, unless a test sets another. */
let transactionOf: (signature: string) => Answer;

beforeAll(async () => {
  database = await createTestDatabase();
  const at = (wallet: string) => tokenAddressOf({ wallet, mint: USDC, tokenProgram: TOKEN });
  accounts = { a: await at(A), b: await at(B) };
});
afterAll(() => database.close());
beforeEach(async () => {
  await database.prisma.readTransfer.deleteMany();
  histories = new Map();
  open = new Map();
  transactionOf = (signature) => ({ result: paid(signature) });
  node = await startFakeNode(({ method, params }) => {
    const [first, config] = [String(params[0]), params.at(-1)];
    if (method === 'getTransaction') return transactionOf(first);
    // A node that keeps no blocks: transactions of one slot are ordered by signature.
    if (method === 'getBlock') return { result: null };
    if (method === 'getSignaturesForAddress') return { result: pageOf(first, config) };
    if (method === 'getTokenAccountsByOwner') {
      const value = (open.get(first) ?? []).map((pubkey) => ({ pubkey, account: {} }));
      return { result: { context: { slot: 1 }, value } };
    }
    const account = { lamports: 1, owner: TOKEN, data: ['', 'base64'] };
    return { result: { context: { slot: 1 }, value: account } };
  });
});
afterEach(() => node.close());

function pageOf(account: string, config: unknown): Line[] {
  const { before, until } = z
    .object({ before: z.string().optional(), until: z.string().optional() })
    .parse(config);
  const lines = histories.get(account) ?? [];
  const at = (wanted: string) => lines.findIndex(({ signature }) => signature === wanted);
  const start = before ? at(before) + 1 : 0;
  // A signature that a node does not know ends nothing.
  const end = until && at(until) >= 0 ? at(until) : lines.length;
  return lines.slice(start, Math.min(end, start + 1_000));
}
const signatureOf = (name: string) => bs58.encode(createHash('sha512').update(name).digest());
function lines(prefix: string, count: number, o: Partial<Line> & { newest?: number } = {}): Line[] {
  const { newest = FROM + DAY - 1, ...rest } = o;
  return Array.from({ length: count }, (_, n) => ({
    signature: signatureOf(`${prefix}${n}`),
    slot: 10_000_000 - n,
    blockTime: newest - n,
    err: null,
    confirmationStatus: 'finalized',
    ...rest,
  }));
}
/** A payment from A to B in the block that the histories say. */
function paid(signature: string, o: { account?: string; err?: unknown } = {}): object {
  const line = [...histories.values()].flat().find((one) => one.signature === signature);
  const made = new MadeTransaction({ feePayer: A })
    .account(accounts.a, { owner: A, amount: 50n })
    .account(o.account ?? accounts.b, { owner: B, amount: 0n })
    .send(accounts.a, o.account ?? accounts.b, 7n, { authority: A })
    .raw({ err: o.err });
  const { transaction } = z
    .object({ transaction: z.object({}).loose() })
    .loose()
    .parse(made);
  return {
    ...made,
    slot: line?.slot ?? 1,
    blockTime: line?.blockTime ?? FROM,
    transaction: { ...transaction, signatures: [signature] },
  };
}
const context = () => ({
  db: database.prisma,
  env: trusted<Env>({ network: 'local' }, 'nothing else of it is read'),
  rpc: createRpc({ urls: [node.url], timeoutMs: 5_000 }),
  clock: { now: () => new Date() },
});
const scan = (o: { limit?: number } = {}) =>
  scanPair(context(), { wallets: [A, B], mint: USDC, period, limit: o.limit ?? 5_000 });
const read = () => node.calls.filter(({ method }) => method === 'getTransaction').length;

describe('scanPair', () => {
  it('reads the side with fewer transactions in the period, over many pages', async () => {
    const few = lines('both', 2_001);
    histories.set(accounts.a, [...lines('newer', 1_200, { newest: FROM + 3 * DAY }), ...few]);
    histories.set(accounts.b, [...few, ...lines('only b', 10, { newest: FROM + 100 })]);
    const { transactions, complete } = await scan();
    expect(transactions).toHaveLength(2_001);
    expect(complete).toBe(true);
    expect(read()).toBe(2_001);
    const slots = transactions.map(({ slot }) => Number(slot));
    expect(slots).toEqual([...slots].sort((a, b) => a - b));
  });

  it('pages one history alone when it is asked again, and both when that has grown', async () => {
    histories.set(accounts.a, lines('a', 30));
    histories.set(accounts.b, [...lines('a', 30), ...lines('b', 30, { newest: FROM + 100 })]);
    const ctx = context();
    const paged = async () => {
      node.calls.length = 0;
      await scanPair(ctx, { wallets: [A, B], mint: USDC, period, limit: 5_000 });
      const pages = node.calls.filter(({ method }) => method === 'getSignaturesForAddress');
      return [...new Set(pages.map(({ params }) => params[0]))].sort();
    };
    const both = [accounts.a, accounts.b].sort();
    expect(await paged()).toEqual(both);
    expect(await paged()).toEqual([accounts.a]);
    histories.set(accounts.a, [...lines('much', 31), ...lines('a', 30)]);
    expect(await paged()).toEqual(both);
    expect(await paged()).toEqual([accounts.b]);
  });

  it('takes the first instant of the period and not the one after its last', async () => {
    const edges = [FROM + DAY, FROM + DAY - 1, FROM, FROM - 1].flatMap((blockTime, n) =>
      lines(`edge${n}`, 1).map((line) => ({ ...line, blockTime, slot: 900 - n })),
    );
    for (const account of [accounts.a, accounts.b]) histories.set(account, edges);
    const { transactions } = await scan();
    expect(transactions.map(({ blockTime }) => (blockTime?.getTime() ?? 0) / 1000)).toEqual([
      ...[FROM, FROM + DAY - 1],
    ]);
  });

  it('refuses what is more than the limit on both sides, before reading any of it', async () => {
    histories.set(accounts.a, lines('a', 31));
    histories.set(accounts.b, lines('b', 40));
    await expect(scan({ limit: 30 })).rejects.toMatchObject({
      code: 'too_many_transactions',
      message: expect.stringContaining('more than 30 transactions'),
    });
    expect(read()).toBe(0);
    expect((await scan({ limit: 31 })).transactions).toHaveLength(31);
  });

  it('reads each final transaction once, and those that are only confirmed again', async () => {
    const both = [
      ...lines('fresh', 2, { confirmationStatus: 'confirmed' }),
      ...lines('final', 5, { newest: FROM + 60 }),
    ];
    for (const account of [accounts.a, accounts.b]) histories.set(account, both);
    const first = await scan();
    expect(first.transactions.filter(({ isFinal }) => isFinal)).toHaveLength(5);
    expect(read()).toBe(7);
    expect((await scan()).transactions.map(({ reading }) => reading)).toEqual(
      first.transactions.map(({ reading }) => reading),
    );
    expect(read()).toBe(9);
  });

  it('keeps finished reads when the node fails, and continues from there', async () => {
    for (const account of [accounts.a, accounts.b]) histories.set(account, lines('x', 60));
    const given = new Set(lines('x', 25).map(({ signature }) => signature));
    transactionOf = (signature) =>
      given.has(signature) ? { result: paid(signature) } : httpStatus(503);
    await expect(scan()).rejects.toBeInstanceOf(RpcUnavailable);
    const kept = await database.prisma.readTransfer.count();
    expect(kept).toBe(25);
    node.calls.length = 0;
    transactionOf = (signature) => ({ result: paid(signature) });
    expect((await scan()).transactions).toHaveLength(60);
    expect(read()).toBe(35);
  });

  it('never leaves out a transaction that no node gives', async () => {
    for (const account of [accounts.a, accounts.b]) histories.set(account, lines('x', 3));
    transactionOf = () => ({ result: null });
    await expect(scan()).rejects.toBeInstanceOf(RpcUnavailable);
  });

  it('keeps nothing of another fork than that of the history', async () => {
    for (const account of [accounts.a, accounts.b]) histories.set(account, lines('x', 1));
    transactionOf = (signature) => ({ result: { ...paid(signature), slot: 5 } });
    await scan();
    expect(await database.prisma.readTransfer.count()).toBe(0);
  });

  it('does not ask for what failed', async () => {
    const failed = lines('x', 2, { err: { InstructionError: [0, 'Custom'] } });
    for (const account of [accounts.a, accounts.b]) histories.set(account, failed);
    const { transactions } = await scan();
    expect(transactions.map(({ reading }) => !reading.ok && reading.code)).toEqual([
      ...['transaction_failed', 'transaction_failed'],
    ]);
    expect(read()).toBe(0);
  });

  it('reads the fee of what failed for one who asks, and keeps it', async () => {
    const [line] = lines('x', 1, { err: { InstructionError: [0, 'Custom'] } });
    if (!line) throw new RangeError('there is a line');
    histories.set(accounts.a, [line]);
    const { signature, slot } = line;
    const asked = { signature, slot: BigInt(slot), blockTime: new Date(FROM * 1000), memo: null };
    const scanned = () =>
      scanTransactions(context(), [{ ...asked, blockIndex: null, failed: true, final: true }], {
        withFees: true,
      });
    // A node that gives it as done is believed by neither answer.
    await expect(scanned()).rejects.toBeInstanceOf(RpcUnavailable);
    transactionOf = () => ({ result: paid(signature, { err: line.err }) });
    const fee = { reason: 'network_fee', from: A, amount: 5_000n };
    const failed = { code: 'transaction_failed', movements: { legs: [], leftOut: [fee] } };
    expect(await scanned()).toMatchObject([{ reading: failed }]);
    expect(await loadTransferReading(context(), signature)).toMatchObject(failed);
  });
});

describe('pages of a wallet and its accounts', () => {
  const line = (signature: string, slot: number) => ({
    signature,
    slot: BigInt(slot),
    blockTime: null,
    failed: false,
    final: true,
    blockIndex: null,
    memo: null,
  });
  const history = (name: string, count: number, top: number, step = 1) =>
    Array.from({ length: count }, (_, i) => line(`${name}${i}`, top - i * step));

  it('end with a whole slot, so no transaction falls between two pages', () => {
    // 24 newer ones, then three of one slot in two accounts.
    const own = [...history('a', 24, 100), line('tie-a', 76), line('old', 10)];
    const token = [line('tie-b', 76), line('tie-c', 76)];
    const page = pageOfHistories([own, token]);
    expect(
      page.lines
        .map(({ signature }) => signature)
        .slice(24)
        .sort(),
    ).toEqual([...['tie-a', 'tie-b', 'tie-c']]);
    expect(page.lines.some(({ signature }) => signature === page.older)).toBe(true);
  });

  it('go on in the slot where a full history was cut, whatever else is in that slot', () => {
    // The 25th and the 26th line of the wallet are of one slot, and a node gives 25 at once.
    const own = [...history('a', 24, 100), line('25th', 76)];
    const page = pageOfHistories([own, [line('token', 76)]]);
    expect(page.lines.map(({ signature }) => signature)).toContain('token');
    expect(page.older).toBe('25th');
  });

  it('have a slot again where two full histories were cut', () => {
    // One node lists the wallet's in this slot before the account's, another block the other way around.
    const own = [...history('a', 24, 100), line('of the wallet', 76)];
    const token = [...history('a', 24, 100), line('of the account', 76)];
    for (const histories of [
      [own, token],
      [token, own],
    ])
      expect(pageOfHistories(histories).older).toBe('a23');
  });

  it('end where no history has more', () => {
    expect(pageOfHistories([history('a', 3, 9), history('b', 2, 9)]).older).toBeNull();
    expect(pageOfHistories([[], []])).toEqual({ lines: [], older: null });
    const full = history('a', 25, 100);
    expect(pageOfHistories([full]).older).toBe('a24');
    // The same transaction in two histories is one.
    expect(pageOfHistories([full, full]).lines).toHaveLength(25);
  });
});
