import { createHash } from 'node:crypto';
import bs58 from 'bs58';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import { z } from 'zod';
import { TOKEN } from '@quittance/verify/chain/programs';
import { createRpc } from '@/server/chain/rpc';
import { RpcUnavailable } from '@quittance/verify/chain/rpc-errors';
import { httpStatus, startFakeNode, type FakeNode } from '@/tests/harness/chain/fake-node';
import { named, USDC } from '@/tests/harness/chain/made-transaction';
import { tokenAddressOf } from '@quittance/verify/chain/token-accounts';
import type { Env } from '@/server/env';
import { trusted } from '@/server/trusted';
import { createTestDatabase, type TestDatabase } from '@/tests/harness/create-test-database';
import { lookThroughHistory } from './look-through-history';

type Line = { signature: string; slot: number; err: unknown; confirmationStatus: string };
const WALLET = named('seller');
const EXTRA = named('another account of the seller');
/** Far more than the slots that are read again. */
const FAR = 100_000;
const FROM_SLOT = 1_000_000;

let database: TestDatabase;
let node: FakeNode;
let own: string;
/** Histories by account, newest first. */
let histories: Map<string, Line[]>;
let open: string[];
let failing: (before: string | undefined) => boolean;

beforeAll(async () => {
  database = await createTestDatabase();
  own = await tokenAddressOf({ wallet: WALLET, mint: USDC, tokenProgram: TOKEN });
  const now = new Date();
  const words = { businessName: 'Shop', country: 'US', serviceType: 'Goods' };
  await database.prisma.registration.create({
    data: { walletAddress: WALLET, ...words, fromSlot: 0n, registeredAt: now, updatedAt: now },
  });
});
afterAll(() => database.close());
beforeEach(async () => {
  await database.prisma.autoTransfer.deleteMany();
  await database.prisma.historyCursor.deleteMany();
  [histories, open, failing] = [new Map(), [], () => false];
  node = await startFakeNode(({ method, params }) => {
    const [first, config] = [String(params[0]), params.at(-1)];
    if (method === 'getSignaturesForAddress') {
      const { before } = z.object({ before: z.string().optional() }).parse(config);
      if (failing(before)) return httpStatus(503);
      const lines = histories.get(first) ?? [];
      const start = before ? lines.findIndex(({ signature }) => signature === before) + 1 : 0;
      return { result: lines.slice(start, start + 1_000) };
    }
    if (method === 'getTokenAccountsByOwner') {
      const isUsdc = JSON.stringify(params).includes(USDC);
      const value = (isUsdc ? open : []).map((pubkey) => ({ pubkey, account: {} }));
      return { result: { context: { slot: 1 }, value } };
    }
    const account = { lamports: 1, owner: TOKEN, data: ['', 'base64'] };
    return { result: { context: { slot: 1 }, value: account } };
  });
});
afterEach(() => node.close());

const look = () =>
  lookThroughHistory(
    {
      db: database.prisma,
      env: trusted<Env>({ network: 'local' }, 'a look reads the network alone'),
      rpc: createRpc({ urls: [node.url], timeoutMs: 5_000 }),
      clock: { now: () => new Date('2026-11-28T12:00:00Z') },
    },
    { walletAddress: WALLET, fromSlot: BigInt(FROM_SLOT) },
  );
const line = (name: string, slot: number, o: Partial<Line> = {}): Line => ({
  signature: bs58.encode(createHash('sha512').update(name).digest()),
  slot,
  err: null,
  confirmationStatus: 'finalized',
  ...o,
});
const noted = async () =>
  (await database.prisma.autoTransfer.findMany()).map((row) => row.txSignature).sort();
const signaturesOf = (lines: Line[]) => lines.map(({ signature }) => signature).sort();

it('an incoming payment is noted once, also after repeated scans, and later ones too', async () => {
  const first = [line('b', FROM_SLOT + 2), line('a', FROM_SLOT)];
  histories.set(own, first);
  expect(await look()).toBe(2);
  const later = [line('d', FROM_SLOT + FAR), line('c', FROM_SLOT + 3)];
  histories.set(own, [...later, ...first]);
  expect([await look(), await look()]).toEqual([2, 0]);
  expect(await noted()).toEqual(signaturesOf([...later, ...first]));
});

it('failed and older transactions are not noted', async () => {
  const failed = line('failed', FROM_SLOT + 1, { err: { InstructionError: [0, 'Custom'] } });
  histories.set(own, [failed, line('before', FROM_SLOT - 1)]);
  expect(await look()).toBe(0);
});

it('a history of many pages is noted whole', async () => {
  const many = Array.from({ length: 2_300 }, (_, n) => line(`page ${n}`, FROM_SLOT + 2_300 - n));
  histories.set(WALLET, many);
  expect(await look()).toBe(2_300);
  expect(await noted()).toEqual(signaturesOf(many));
});

it('a scan that breaks off starts again from the end of the last complete one', async () => {
  const many = Array.from({ length: 1_500 }, (_, n) =>
    line(`broken ${n}`, FROM_SLOT + (1_500 - n) * 1_000),
  );
  histories.set(WALLET, many);
  failing = (before) => before !== undefined;
  await expect(look()).rejects.toThrow(RpcUnavailable);
  failing = () => false;
  await look();
  expect(await noted()).toEqual(signaturesOf(many));
});

it('an account that is opened later is read from the registration on', async () => {
  histories.set(own, [line('own', FROM_SLOT + FAR)]);
  await look();
  const early = line('another account', FROM_SLOT + 1);
  open = [EXTRA];
  histories.set(EXTRA, [early]);
  expect(await look()).toBe(1);
  expect(await noted()).toContain(early.signature);
});

it('an account that was closed meanwhile is still read for earlier payments', async () => {
  open = [EXTRA];
  histories.set(EXTRA, [line('first', FROM_SLOT + 1)]);
  await look();
  const last = line('before the end', FROM_SLOT + FAR);
  histories.set(EXTRA, [last, line('first', FROM_SLOT + 1)]);
  open = [];
  expect(await look()).toBe(1);
  expect(await noted()).toContain(last.signature);
});

it('a transaction that is not final yet is noted once it is, after any number of newer ones', async () => {
  const slow = line('slow', FROM_SLOT + 1);
  const after = line('after', FROM_SLOT + FAR);
  histories.set(own, [after, { ...slow, confirmationStatus: 'confirmed' }]);
  expect(await look()).toBe(1);
  histories.set(own, [after, slow]);
  expect(await look()).toBe(1);
  expect(await noted()).toEqual(signaturesOf([slow, after]));
});

it('a node that lags behind does not move the saved position back', async () => {
  const all = [line('new', FROM_SLOT + FAR), line('old', FROM_SLOT + 1)];
  histories.set(own, all);
  await look();
  histories.set(own, all.slice(1));
  await look();
  const { slot } = await database.prisma.historyCursor.findUniqueOrThrow({
    where: { wallet_account: { wallet: WALLET, account: own } },
  });
  expect(slot).toBe(BigInt(FROM_SLOT + FAR));
});

it('a node that learned of a transaction after its neighbours does not hide it', async () => {
  histories.set(own, [line('new', FROM_SLOT + 500)]);
  await look();
  const late = line('late', FROM_SLOT + 200);
  histories.set(own, [line('new', FROM_SLOT + 500), late]);
  expect(await look()).toBe(1);
});
