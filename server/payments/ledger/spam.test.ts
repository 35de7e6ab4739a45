import bs58 from 'bs58';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { createRpc } from '@/server/chain/rpc';
import { startFakeNode, type Answer, type FakeNode } from '@/tests/harness/chain/fake-node';
import { MadeTransaction, named } from '@/tests/harness/chain/made-transaction';
import type { RawTransaction } from '@quittance/verify/chain/raw-transaction';
import type { Env } from '@/server/env';
import { trusted } from '@/server/trusted';
import { createTestDatabase, type TestDatabase } from '@/tests/harness/create-test-database';

const SLOT = 250_000_000;
const TILL = named('the till');
const payment = { payTo: TILL, payer: named('customer'), slot: BigInt(SLOT - 5) };
let database: TestDatabase;
const open: FakeNode[] = [];
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.close());
beforeEach(async () => {
  await database.prisma.ledgerEntry.deleteMany();
  await database.prisma.ledgerAccount.deleteMany();
});
afterEach(async () => {
  await Promise.all(open.splice(0).map((node) => node.close()));
});

let made = 0;
function signed(raw: RawTransaction): [string, RawTransaction] {
  made += 1;
  const bytes = Buffer.alloc(64, 1);
  bytes.writeUInt32LE(made);
  const signature = bs58.encode(bytes);
  if (Array.isArray(raw.transaction)) throw new Error('it is made as JSON');
  return [signature, { ...raw, transaction: { ...raw.transaction, signatures: [signature] } }];
}

/** Transactions that give PAY_TO one lamport each. */
const spam = (count: number) =>
  Array.from({ length: count }, () =>
    signed(
      new MadeTransaction({ feePayer: 'spammer' })
        .wallet('the till', 1_000_000_000n)
        .sendSol('spammer', 'the till', 1n)
        .raw(),
    ),
  );
const refund = () =>
  signed(
    new MadeTransaction({ feePayer: 'the till' })
      .account('till account', { owner: 'the till', amount: 5_000_000n })
      .account('purse', { owner: 'customer', amount: 0n })
      .send('till account', 'purse', 100_000n, { authority: 'the till' })
      .raw(),
  );

/** A node with this history, newest first, and an older line after it. */
async function node(listed: [string, RawTransaction][], o: { final?: boolean } = {}) {
  const given = new Map(listed);
  const lines = [...given.keys(), bs58.encode(Buffer.alloc(64, 255))].map((signature, at) => ({
    signature,
    slot: at < listed.length ? SLOT : SLOT - 9,
    err: null,
    memo: null,
    blockTime: 1_747_059_490,
    confirmationStatus: o.final === false ? 'confirmed' : 'finalized',
  }));
  const one = await startFakeNode(({ method, params }): Answer => {
    if (method !== 'getTransaction') return { result: lines };
    return { result: given.get(String(params[0])) ?? null };
  });
  open.push(one);
  return one;
}
const reads = ({ calls }: FakeNode) => calls.filter(({ method }) => method === 'getTransaction');

/** Searches like a new process. It may be slow: the number of reads is the limit that is tested. */
const look = (...nodes: FakeNode[]) => lookFor({ mostMs: 60_000 }, ...nodes);

async function lookFor(o: { mostMs: number }, ...nodes: FakeNode[]): Promise<string | null> {
  vi.resetModules();
  const { lookForDebit } = await import('./look-for-debits');
  return lookForDebit(
    {
      db: database.prisma,
      rpc: createRpc({ urls: nodes.map(({ url }) => url), timeoutMs: 5_000 }),
      env: trusted<Env>({ network: 'local', payTo: TILL }, 'all that is read of it'),
    },
    payment,
    o,
  );
}

describe('300 transactions of a stranger that name PAY_TO', () => {
  it('are read once for all purchases and processes, and hide no refund', async () => {
    const [first, second] = [spam(150), spam(150)];
    const one = await node([...first, ...second]);
    expect(await look(one)).toBeNull();
    expect(reads(one)).toHaveLength(300);
    expect(await look(one)).toBeNull();
    expect(reads(one)).toHaveLength(300);
    expect(one.calls.filter(({ method }) => method === 'getSignaturesForAddress')).toHaveLength(2);
    const debit = refund();
    const later = await node([...first, debit, ...second]);
    expect(await look(later)).toBe(debit[0]);
    expect(reads(later)).toHaveLength(1);
  });

  it('are read again while one of two nodes does not show them', async () => {
    const sent = spam(3);
    const [one, other] = [await node(sent), await node([])];
    expect(await look(one, other)).toBeNull();
    expect(await look(one, other)).toBeNull();
    expect(reads(one)).toHaveLength(6);
    expect(await database.prisma.ledgerEntry.count()).toBe(0);
  });

  it('are in no table where two nodes show them differently', async () => {
    const [[signature, raw] = ['', null]] = spam(1);
    if (!raw) throw new Error('none was made');
    const other = new MadeTransaction({ feePayer: 'spammer' })
      .wallet('the till', 1_000_000_000n)
      .sendSol('spammer', 'the till', 2n)
      .raw();
    if (Array.isArray(other.transaction)) throw new Error('it is made as JSON');
    const transaction = { ...other.transaction, signatures: [signature] };
    const nodes = [
      await node([[signature, raw]]),
      await node([[signature, { ...other, transaction }]]),
    ];
    expect(await look(...nodes)).toBeNull();
    expect(await database.prisma.ledgerEntry.count()).toBe(0);
  });

  it('are in no table before they are final', async () => {
    expect(await look(await node(spam(3), { final: false }))).toBeNull();
    expect(await database.prisma.ledgerEntry.count()).toBe(0);
  });
});

it('beyond the limit of one request are a 503 from which the next one continues, and never a wrong yes', async () => {
  const debit = refund();
  const one = await node([...spam(450), debit]);
  await expect(look(one)).rejects.toMatchObject({
    code: 'paid_wallet_busy',
    status: 503,
    retryAfterS: 3,
  });
  expect(reads(one)).toHaveLength(400);
  expect(await look(one)).toBe(debit[0]);
});

it('are a 503 when the time of a search is over, or a history is too long for it', async () => {
  const one = await node([refund()]);
  await expect(lookFor({ mostMs: -1 }, one)).rejects.toMatchObject({ code: 'paid_wallet_busy' });
  const lines = [1, 2].map((page) => ({
    signature: bs58.encode(Buffer.alloc(64, page)),
    slot: SLOT,
    err: null,
    memo: null,
    blockTime: 1_747_059_490,
    confirmationStatus: 'finalized',
  }));
  one.answer = ({ params }) => ({ result: JSON.stringify(params).includes('before') ? [] : lines });
  await expect(lookFor({ mostMs: -1 }, one)).rejects.toThrow(
    'No node answers about the paid wallet',
  );
});
