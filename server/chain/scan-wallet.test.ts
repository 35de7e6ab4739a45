import bs58 from 'bs58';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { Env } from '@/server/env';
import { trusted } from '@/server/trusted';
import { createTestDatabase, type TestDatabase } from '@/tests/harness/create-test-database';
import { TOKEN } from '@quittance/verify/chain/programs';
import { readTransferOnce } from './stored-reading';
import { createRpc } from './rpc';
import { RpcUnavailable } from '@quittance/verify/chain/rpc-errors';
import { scanPair, scanWallet } from './scan-wallet';
import { startFakeNode, type Answer, type FakeNode } from '../../tests/harness/chain/fake-node';
import {
  BLOCK_TIME,
  MadeTransaction,
  named,
  USDC,
} from '../../tests/harness/chain/made-transaction';
import { tokenAddressOf } from '@quittance/verify/chain/token-accounts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.close());
const open: FakeNode[] = [];
afterEach(async () => {
  await Promise.all(open.splice(0).map((node) => node.close()));
  await database.prisma.readTransfer.deleteMany();
});

/** The signature of {@link MadeTransaction}. */
const PAID = bs58.encode(Buffer.alloc(64, 7));
const [QUIET, BUSY] = [named('quiet'), named('busy')];
const ofBusy = await tokenAddressOf({ wallet: BUSY, mint: USDC, tokenProgram: TOKEN });
const period = {
  from: new Date((BLOCK_TIME - 60) * 1000),
  until: new Date((BLOCK_TIME + 60) * 1000),
};

type Line = ReturnType<typeof line>;
const line = (signature: string, blockTime = BLOCK_TIME) => ({
  signature,
  slot: 250_000_000,
  blockTime,
  err: null,
  confirmationStatus: 'finalized',
});
/** Another page of what happened since the period. */
const newer = (page: number): Line[] =>
  Array.from({ length: 1_000 }, (_, n) => {
    const bytes = Buffer.alloc(64, 9);
    bytes.writeUInt32LE(page * 1_000 + n);
    return line(bs58.encode(bytes), BLOCK_TIME + 86_400);
  });

type Said = {
  history: (account: string, call: number) => Line[];
  transaction: Answer;
  /** The answers of the node about these, in place of the truth. */
  says?: Record<string, unknown>;
};

/** A node with these histories by account and this one transaction. */
async function contextOf(o: Said) {
  const asked = new Map<string, number>();
  const value = [{ slot: 250_000_000, err: null, confirmationStatus: 'finalized' }];
  const node = await startFakeNode(({ method, params }) => {
    const context = { slot: 1 };
    if (o.says && method in o.says) return { result: { context, value: o.says[method] } };
    const mint = { lamports: 1, owner: TOKEN, data: ['', 'base64'] };
    if (method === 'getAccountInfo') return { result: { context, value: mint } };
    if (method === 'getTokenAccountsByOwner') return { result: { context, value: [] } };
    if (method === 'getSignatureStatuses') return { result: { context, value } };
    if (method === 'getTransaction') return o.transaction;
    const account = String(params[0]);
    const call = asked.get(account) ?? 0;
    asked.set(account, call + 1);
    return { result: o.history(account, call) };
  });
  open.push(node);
  const context = {
    rpc: createRpc({ urls: [node.url], timeoutMs: 5_000 }),
    db: database.prisma,
    env: trusted<Env>({ network: 'local' }, 'the network alone is read'),
    clock: { now: () => new Date('2026-11-28T00:00:00.000Z') },
  };
  return { context, asked };
}

async function scan(o: Said & { readFirst?: string }) {
  const { context: ctx, asked } = await contextOf(o);
  if (o.readFirst) await readTransferOnce(ctx, o.readFirst);
  const wallets = [BUSY, QUIET] as const;
  const found = await scanPair(ctx, { wallets, mint: USDC, period, limit: 5_000 });
  return { ...found, asked };
}

const paid = new MadeTransaction({ feePayer: 'busy' })
  .account('from', { owner: 'busy', amount: 10n })
  .account('to', { owner: 'quiet', amount: 0n })
  .send('from', 'to', 5n, { authority: 'busy' })
  .raw();

describe('a scan of two wallets', () => {
  it('does not read all newer transactions of the busier one, once the other is known', async () => {
    const { transactions, complete, asked } = await scan({
      history: (account, call) =>
        account === ofBusy ? newer(call) : call === 0 ? [line(PAID)] : [],
      transaction: { result: paid },
    });
    expect(transactions.map(({ signature }) => signature)).toEqual([PAID]);
    expect(complete).toBe(true);
    expect(asked.get(ofBusy)).toBeLessThanOrEqual(3);
  });

  it('is not complete when a transaction could not be read', async () => {
    const history = (_: string, call: number) => (call === 0 ? [line(PAID)] : []);
    const error = { code: -32015, message: 'Transaction version (1) is not supported' };
    const { transactions, complete } = await scan({ history, transaction: { error } });
    expect(transactions[0]?.reading).toMatchObject({ ok: false, code: 'unreadable_transaction' });
    expect(complete).toBe(false);
  });

  it('searches the closed accounts of a transaction that another route has read before', async () => {
    const history = (_: string, call: number) => (call === 0 ? [line(PAID)] : []);
    const transaction = { result: paid };
    const closed = [named('from'), named('to')];
    for (const readFirst of [undefined, PAID]) {
      await database.prisma.readTransfer.deleteMany();
      const { asked } = await scan({ history, transaction, ...(readFirst && { readFirst }) });
      expect(closed.some((account) => asked.has(account))).toBe(true);
    }
  });
});

describe('a node without the answers that every scan begins with', () => {
  const nobody = { lamports: 1, owner: '11111111111111111111111111111111', data: ['', 'base64'] };
  it.each([
    ['no mint', { getAccountInfo: null }],
    ['a mint of no token program', { getAccountInfo: nobody }],
    ['no list of token accounts', { getTokenAccountsByOwner: null }],
  ])('is unavailable, never an empty and complete history: %s', async (_, says) => {
    const node = { history: () => [], transaction: { result: null }, says };
    await expect(scan(node)).rejects.toThrow(RpcUnavailable);
    const { context } = await contextOf(node);
    await expect(
      scanWallet(context, { wallet: QUIET, mints: [USDC], period, limit: 5_000 }),
    ).rejects.toThrow(RpcUnavailable);
  });
});
