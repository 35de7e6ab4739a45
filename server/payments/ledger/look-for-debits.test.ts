import bs58 from 'bs58';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { createRpc } from '@/server/chain/rpc';
import { RpcUnavailable } from '@quittance/verify/chain/rpc-errors';
import type { RawTransaction } from '@quittance/verify/chain/raw-transaction';
import {
  httpStatus,
  startFakeNode,
  type Answer,
  type FakeNode,
} from '@/tests/harness/chain/fake-node';
import { MadeTransaction, named } from '@/tests/harness/chain/made-transaction';
import type { Env } from '@/server/env';
import { trusted } from '@/server/trusted';
import { createTestDatabase, type TestDatabase } from '@/tests/harness/create-test-database';
import { answerBlocks } from './blocks.fixture';
import { lookForDebit } from './look-for-debits';

const SLOT = 250_000_000;
const payment = { payTo: named('the till'), payer: named('customer'), slot: BigInt(SLOT - 5) };
let database: TestDatabase;
const open: FakeNode[] = [];
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.close());
afterEach(async () => {
  await Promise.all(open.splice(0).map((node) => node.close()));
});

/** Each has a signature of its own, because harmless transactions are remembered by it. */
let made = 0;
function refund(): { signature: string; raw: RawTransaction; empty: RawTransaction } {
  made += 1;
  const signature = bs58.encode(Buffer.alloc(64, made));
  const raw = new MadeTransaction({ feePayer: 'the till' })
    .account('till account', { owner: 'the till', amount: 5_000_000n })
    .account('purse', { owner: 'customer', amount: 0n })
    .send('till account', 'purse', 100_000n, { authority: 'the till' })
    .raw();
  if (Array.isArray(raw.transaction) || raw.meta === null) throw new Error('it is made as JSON');
  const own = { ...raw, transaction: { ...raw.transaction, signatures: [signature] } };
  const empty = { ...own, meta: { ...raw.meta, preTokenBalances: [], postTokenBalances: [] } };
  return { signature, raw: own, empty };
}

/** A node with a history of these and one older line, which gives one transaction in this form. */
async function node(
  listed: readonly string[],
  given: unknown,
  confirmationStatus: 'confirmed' | 'finalized' = 'finalized',
): Promise<FakeNode> {
  const lines = [...listed, bs58.encode(Buffer.alloc(64, 255))].map((signature, at) => ({
    signature,
    slot: at < listed.length ? SLOT : SLOT - 9,
    err: null,
    memo: null,
    blockTime: 1_747_059_490,
    confirmationStatus,
  }));
  const one = await startFakeNode(({ method }): Answer => ({
    result: method === 'getTransaction' ? given : lines,
  }));
  open.push(one);
  return one;
}
const look = (...nodes: FakeNode[]) => lookAs(payment.payer, ...nodes);
const lookAs = (payer: string, ...nodes: FakeNode[]) =>
  lookForDebit(contextOf(...nodes), { ...payment, payer });
const contextOf = (...nodes: FakeNode[]) => ({
  db: database.prisma,
  rpc: createRpc({ urls: nodes.map(({ url }) => url), timeoutMs: 2_000 }),
  env: trusted<Env>({ network: 'local' }, 'all that is read of it'),
});

describe('money that went back to a payer', () => {
  it('is found though the first node does not list it', async () => {
    const { signature, raw } = refund();
    const behind = await node([], null);
    expect(await look(behind)).toBeNull();
    expect(await look(behind, await node([signature], raw))).toBe(signature);
  });

  it('is found though a node gives it without balances or is silent', async () => {
    const { signature, raw } = refund();
    const blind = await node([signature], { ...raw, meta: null });
    await expect(look(blind)).rejects.toThrow(RpcUnavailable);
    const sound = await node([signature], raw);
    expect(await look(blind, sound)).toBe(signature);
    blind.answer = () => httpStatus(500);
    expect(await look(blind, sound)).toBe(signature);
    await expect(look(blind, blind)).rejects.toThrow(RpcUnavailable);
  });

  it('is read once for all simultaneous requests', async () => {
    const { signature, raw } = refund();
    const one = await node([signature], raw, 'confirmed');
    const ctx = contextOf(one);
    const looks = Array.from({ length: 5 }, () => lookForDebit(ctx, payment));
    const found = await Promise.all(looks);
    expect(found).toEqual(Array.from({ length: 5 }, () => signature));
    expect(one.calls.filter(({ method }) => method === 'getTransaction')).toHaveLength(1);
  });

  it('is not skipped permanently because of one node', async () => {
    const { signature, raw, empty } = refund();
    const wrong = await node([signature], empty);
    const sound = await node([signature], raw);
    const { answer } = sound;
    sound.answer = () => httpStatus(500);
    expect(await look(wrong, sound)).toBeNull();
    sound.answer = answer;
    expect(await look(wrong, sound)).toBe(signature);
  });

  it('is found for its payer although it was checked for another one before, and is not final', async () => {
    const { signature, raw } = refund();
    const one = await node([signature], raw, 'confirmed');
    expect(await lookAs(named('another customer'), one)).toBeNull();
    expect(await look(one)).toBe(signature);
  });
});

describe('a line that no node gives the transaction of', () => {
  /**
   * Lists these and returns none of them. It has every block up to a final slot, with these
   * transactions in the block of the line.
   */
  async function keeper(o: { lists: string[]; holds?: string[]; skips?: number; tip?: number }) {
    const one = await node(o.lists, null);
    answerBlocks(one, { slot: SLOT, tip: SLOT + 500, ...o });
    return one;
  }

  it('is passed over once two nodes read its block without it, or the one there is', async () => {
    const { signature } = refund();
    const lists = [signature];
    const liar = await keeper({ lists });
    const honest = await keeper({ lists: [] });
    expect(await look(liar, honest)).toBeNull();
    expect(await look(liar)).toBeNull();
  });

  it.each<[string, Omit<Parameters<typeof keeper>[0], 'lists'>]>([
    ['holds it', { holds: ['itself'] }],
    ['lacks that block', { skips: SLOT }],
    ['has not got so far', { tip: SLOT - 10 }],
  ])('keeps the payment waiting while the other node %s', async (_, other) => {
    const { signature } = refund();
    const liar = await keeper({ lists: [signature] });
    const holds = other.holds && [signature];
    const honest = await keeper({ lists: [], ...other, ...(holds && { holds }) });
    await expect(look(liar, honest)).rejects.toThrow(RpcUnavailable);
  });

  it('keeps it waiting while the other is silent or lists it too, whatever its slot', async () => {
    const { signature } = refund();
    const liar = await keeper({ lists: [signature] });
    await expect(look(liar, await keeper({ lists: [signature] }))).rejects.toThrow(RpcUnavailable);
    const dead = await keeper({ lists: [] });
    dead.answer = () => httpStatus(500);
    await expect(look(liar, dead)).rejects.toThrow(RpcUnavailable);
  });

  it('is passed over in a slot that no node comes near', async () => {
    const { signature } = refund();
    const tip = SLOT - 400;
    const liar = await keeper({ lists: [signature], tip });
    expect(await look(liar, await keeper({ lists: [], tip }))).toBeNull();
  });
});
