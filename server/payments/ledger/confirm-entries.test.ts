import bs58 from 'bs58';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { isOf } from '@quittance/verify/chain/fetch-transaction';
import type { RawTransaction } from '@quittance/verify/chain/raw-transaction';
import { createRpc } from '@/server/chain/rpc';
import type { Env } from '@/server/env';
import { trusted } from '@/server/trusted';
import { createTestDatabase, type TestDatabase } from '@/tests/harness/create-test-database';
import { httpStatus, startFakeNode, type FakeNode } from '@/tests/harness/chain/fake-node';
import { MadeTransaction, named } from '@/tests/harness/chain/made-transaction';
import { answerBlocks } from './blocks.fixture';
import { confirmEntries } from './confirm-entries';
import { recordWithdrawal } from './entries';
import { noteTransaction, type NoteContext } from './note-transactions';

const SIGNATURE = bs58.encode(Buffer.alloc(64, 7));
let database: TestDatabase;
const open: FakeNode[] = [];
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.close());
beforeEach(async () => {
  await database.prisma.ledgerEntry.deleteMany();
  await database.prisma.auditEntry.deleteMany();
});
afterEach(async () => {
  await Promise.all(open.splice(0).map((node) => node.close()));
});

/** USDC that goes from one wallet to another. */
function transfer(from: string, to: string, amount = 100_000n): RawTransaction {
  const raw = new MadeTransaction({ feePayer: from })
    .account(`account of ${from}`, { owner: from, amount: 5_000_000n })
    .account(`account of ${to}`, { owner: to, amount: 0n })
    .send(`account of ${from}`, `account of ${to}`, amount, { authority: from })
    .raw();
  if (Array.isArray(raw.transaction)) throw new Error('it is made as JSON');
  const own = { ...raw, transaction: { ...raw.transaction, signatures: [SIGNATURE] } };
  if (!isOf(own, SIGNATURE)) throw new Error('it has another signature');
  return own;
}
const truth = transfer('customer', 'paid wallet');
const lie = transfer('thief', 'paid wallet');

/** A node that shows the transaction in this form, or does not know it. */
async function node(given: RawTransaction | null): Promise<FakeNode> {
  const one = await startFakeNode(() => ({ result: given }));
  open.push(one);
  return one;
}
const contextOf = (...nodes: FakeNode[]) => ({
  db: database.prisma,
  rpc: createRpc({ urls: nodes.map(({ url }) => url), timeoutMs: 2_000 }),
  env: trusted<Env>({ network: 'local', payTo: named('paid wallet') }, 'all that is read of it'),
});
const confirm = (...nodes: FakeNode[]) => confirmEntries(contextOf(...nodes), { mostMs: 10_000 });
/** Writes the rows that one node shows, like a scan. */
const note = (one: FakeNode) => noteTransaction(contextOf(one) satisfies NoteContext, SIGNATURE);
const rows = () => database.prisma.ledgerEntry.findMany({ where: { direction: { not: 'none' } } });
const payers = async () => JSON.stringify((await rows()).map(({ parties }) => parties));
const audits = async () =>
  (await database.prisma.auditEntry.findMany()).map(({ action, subject }) => [action, subject]);

describe('a row that one node showed', () => {
  it('stays without an audit entry once two nodes show it, and is asked for no more', async () => {
    const honest = await node(truth);
    await note(honest);
    expect(await confirm(honest, await node(truth))).toEqual({
      confirmed: 1,
      corrected: [],
      undecided: 0,
    });
    expect(await audits()).toEqual([]);
    expect((await rows()).map(({ recheckAt }) => recheckAt)).toEqual([null]);
    expect(await confirm(honest, await node(lie))).toMatchObject({ confirmed: 0, undecided: 0 });
  });

  it('is replaced, on record, once two nodes show another payer or time', async () => {
    const liar = await node(lie);
    await note(liar);
    expect(await payers()).toContain(named('thief'));
    const honest = [await node(truth), await node(truth)];
    expect(await confirm(liar, ...honest)).toMatchObject({ corrected: [SIGNATURE] });
    expect(await payers()).toContain(named('customer'));
    expect(await payers()).not.toContain(named('thief'));
    expect(await audits()).toEqual([['ledger.correct', SIGNATURE]]);
    // The sum may be right as well: only the time is another.
    const other = { blockTime: new Date(0), recheckAt: new Date(0) };
    await database.prisma.ledgerEntry.updateMany({ data: other });
    expect(await confirm(...honest)).toMatchObject({ corrected: [SIGNATURE] });
    expect((await rows()).map(({ blockTime }) => blockTime)).not.toContainEqual(new Date(0));
  });

  it.each([
    ['contradicts it', () => node(lie)],
    ['does not know it', () => node(null)],
    [
      'is silent',
      async () => {
        const silent = await node(null);
        silent.answer = () => httpStatus(500);
        return silent;
      },
    ],
  ])('stays and is asked for later while the other node %s', async (_, other) => {
    const first = await node(truth);
    await note(first);
    const begun = Date.now();
    expect(await confirm(first, await other())).toEqual({
      confirmed: 0,
      corrected: [],
      undecided: 1,
    });
    expect(await payers()).toContain(named('customer'));
    const [row] = await rows();
    expect(row?.recheckAt?.getTime()).toBeGreaterThan(begun + 5 * 60_000);
    expect(await confirm(first, await node(truth))).toMatchObject({ confirmed: 0, undecided: 0 });
  });

  it('is removed, on record, once two nodes read its block without it', async () => {
    await note(await node(truth));
    const [row] = await rows();
    const slot = Number(row?.slot);
    const nodes = [await node(null), await node(null)];
    for (const one of nodes) answerBlocks(one, { slot, tip: slot + 500 });
    expect(await confirm(...nodes)).toMatchObject({ corrected: [SIGNATURE] });
    expect(await rows()).toEqual([]);
    expect(await audits()).toEqual([['ledger.remove', SIGNATURE]]);
  });

  it('keeps the operator’s record of it when it is replaced', async () => {
    await note(await node(transfer('paid wallet', 'thief')));
    const withdrawal = { signature: SIGNATURE, note: null };
    expect(await recordWithdrawal(database.prisma, withdrawal)).toBe('recorded');
    const shown = transfer('paid wallet', 'bank');
    expect(await confirm(await node(shown), await node(shown))).toMatchObject({
      corrected: [SIGNATURE],
    });
    const usdc = (await rows()).find(({ token }) => token === 'USDC');
    expect(usdc).toMatchObject({ purpose: 'withdrawal', direction: 'out' });
    expect(await payers()).toContain(named('bank'));
  });

  it('stays while its wallet is not among those that the nodes are asked about', async () => {
    const honest = await node(truth);
    await note(honest);
    await database.prisma.ledgerAccount.deleteMany();
    const env = trusted<Env>({ network: 'local', payTo: named('new wallet') }, 'another process');
    const ctx = { ...contextOf(honest, await node(truth)), env };
    expect(await confirmEntries(ctx, { mostMs: 10_000 })).toEqual({
      confirmed: 0,
      corrected: [],
      undecided: 1,
    });
    expect(await payers()).toContain(named('customer'));
    expect(await audits()).toEqual([]);
  });

  it('is left alone where there is one node', async () => {
    const only = await node(lie);
    await note(only);
    expect(await confirm(only)).toEqual({ confirmed: 0, corrected: [], undecided: 0 });
    expect((await rows()).every(({ recheckAt }) => recheckAt !== null)).toBe(true);
  });
});
