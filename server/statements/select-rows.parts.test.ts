import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { createTestDatabase, type TestDatabase } from '@/tests/harness/create-test-database';
import { judgeMovements } from '@quittance/verify/chain/judge-movements';
import { TOKEN } from '@quittance/verify/chain/programs';
import { loadFinalReadings, storeTransferReadings } from '@/server/chain/stored-reading';
import { createRpc } from '@/server/chain/rpc';
import { startFakeNode, type FakeNode } from '@/tests/harness/chain/fake-node';
import { MadeTransaction, named, USDC } from '@/tests/harness/chain/made-transaction';
import { tokenAddressOf } from '@quittance/verify/chain/token-accounts';
import { RATE_RULE } from '@/server/rates/find-rate';
import type { Env } from '@/server/env';
import { trusted } from '@/server/trusted';
import { choosePeriod } from './frozen-list';
import { signatureOf } from './list.fixture';
import { selectListed, selectScanned } from './select-transactions';

const EURC = 'HzwqbKZw8HxMN6bF2yFZNrht3c2iXXzpKcFu7uBEDKtr';
const [ME, SHOP, THIRD, JUNK] = [named('me'), named('shop'), named('third'), named('junk token')];
const DAY = Date.UTC(2026, 0, 31, 12) / 1000;

type Entry = {
  made: MadeTransaction | null;
  slot: number;
  blockTime: number;
  err: unknown;
  status: 'confirmed' | 'finalized';
  version: number;
};
let database: TestDatabase;
let node: FakeNode;
let usdc: string;
let eurc: string;
/** Entries of the wallet's own history, oldest first, by signature. */
let ledger: Map<string, Entry>;

beforeAll(async () => {
  database = await createTestDatabase();
  const at = (mint: string) => tokenAddressOf({ wallet: ME, mint, tokenProgram: TOKEN });
  [usdc, eurc] = [await at(USDC), await at(EURC)];
  const day = new Date('2026-01-31T00:00:00Z');
  await database.prisma.rate.create({
    data: {
      quote: 'EUR',
      day,
      base: 'EUR',
      rate: '1',
      usdRate: '1.1',
      source: 'a test',
      publishedOn: day,
      final: true,
      fetchedAt: new Date(),
      rule: RATE_RULE,
    },
  });
});
afterAll(() => database.close());
beforeEach(async () => {
  await database.prisma.readTransfer.deleteMany();
  ledger = new Map();
  node = await startFakeNode(({ method, params }) => {
    const first = params[0];
    if (method === 'getTransaction') return transactionOf(String(first));
    if (method === 'getSignaturesForAddress')
      return { result: first === ME ? historyAfter(params[1]) : [] };
    const context = { slot: 1 };
    if (method === 'getSignatureStatuses') {
      const value = z.array(z.string()).parse(first).map(statusOf);
      return { result: { context, value } };
    }
    if (method === 'getTokenAccountsByOwner') return { result: { context, value: [] } };
    const value = { lamports: 1, owner: TOKEN, data: ['', 'base64'] };
    return { result: { context, value } };
  });
});
afterEach(() => node.close());

/** Newest first, one page alone. */
function historyAfter(config: unknown) {
  const { before } = z.object({ before: z.string().optional() }).parse(config);
  return before === undefined ? [...ledger].map(lineOf).reverse() : [];
}
const lineOf = ([signature, one]: [string, Entry]) => ({
  signature,
  slot: one.slot,
  blockTime: one.blockTime,
  err: one.err,
  confirmationStatus: one.status,
});
function statusOf(signature: string) {
  const one = ledger.get(signature);
  return one
    ? { slot: one.slot, err: one.err, confirmationStatus: one.status, confirmations: null }
    : null;
}
function transactionOf(signature: string) {
  const one = ledger.get(signature);
  if (!one?.made) return { result: null };
  if (one.version > 0) return { error: { code: -32015, message: 'version' } };
  const raw = { ...one.made.raw({ err: one.err }), slot: one.slot, blockTime: one.blockTime };
  const { transaction } = z.looseObject({ transaction: z.looseObject({}) }).parse(raw);
  return { result: { ...raw, transaction: { ...transaction, signatures: [signature] } } };
}
function happen(name: string, made: MadeTransaction, o: Partial<Entry> = {}): string {
  const n = ledger.size;
  const entry = {
    made,
    slot: 100 + n,
    blockTime: DAY + n,
    err: null,
    status: 'finalized' as const,
  };
  ledger.set(signatureOf(name), { ...entry, version: 0, ...o });
  return signatureOf(name);
}
/** A payment of USDC: out of my account, or into it. */
const paid = (amount: bigint, o: { into?: boolean; mint?: string; account?: string } = {}) => {
  const { mint = USDC, account = usdc } = o;
  const other = named('account of the shop');
  const made = new MadeTransaction({ feePayer: o.into ? SHOP : ME })
    .mint(mint, { decimals: 6 })
    .account(account, { mint, owner: ME, amount: 9_000_000n })
    .account(other, { mint, owner: SHOP, amount: 9_000_000n });
  return o.into
    ? made.send(other, account, amount, { authority: SHOP })
    : made.send(account, other, amount, { authority: ME });
};
const foreign = () =>
  new MadeTransaction({ feePayer: SHOP, signers: [ME] })
    .account('from', { owner: SHOP, amount: 9n })
    .account('to', { owner: THIRD, amount: 0n })
    .send('from', 'to', 5n, { authority: SHOP });
const swap = () =>
  paid(50_000n)
    .account('mine', { mint: EURC, owner: ME, amount: 0n })
    .account('theirs', { mint: EURC, owner: SHOP, amount: 90_000n })
    .send('theirs', 'mine', 40_000n, { authority: SHOP });

const context = () => ({
  db: database.prisma,
  env: trusted<Env>({ network: 'local' }, 'what is final and stored needs the network alone'),
  rpc: createRpc({ urls: [node.url], timeoutMs: 10_000 }),
  clock: { now: () => new Date('2026-11-28T12:00:00Z') },
});
const month = (start: string, end: string) =>
  choosePeriod({ start: `${start}T00:00:00Z`, end, now: new Date('2026-11-28T12:00:00Z') });
const january = month('2026-01-01', '2026-02-01T00:00:00Z');
const scan = (o: { period?: typeof january; minMicros?: bigint } = {}) =>
  selectScanned(context(), { wallet: ME, period: january, minMicros: 10_000n, ...o });
const list = (...signatures: string[]) => selectListed(context(), { wallet: ME, signatures });
const caught = async (run: Promise<unknown>) =>
  run.then(
    () => null,
    (error: unknown) => error,
  );

describe('a scan', () => {
  it('takes final payments of tokens with a value, and lists all else by reason', async () => {
    const out = happen('out', paid(250_000n));
    const failed = happen('failed', paid(1_000n), { err: { InstructionError: [0, 'Custom'] } });
    const euro = happen('euro', paid(2_000_000n, { mint: EURC, account: eurc }));
    const dust = happen('dust', paid(9_999n));
    const spam = happen('spam', paid(8n, { into: true, mint: JUNK, account: named('spam') }));
    const swapped = happen('swap', swap());
    const others = happen('others', foreign());
    const into = happen('into', paid(10_000n, { into: true }));
    const young = happen('young', paid(700_000n), { status: 'confirmed' });
    const found = await scan();
    expect(found.rows).toEqual([
      { signature: out, leg: 0, usdMicros: 250_000n, valuation: 'par' },
      { signature: euro, leg: 0, usdMicros: 2_200_000n, valuation: 'fx' },
      { signature: into, leg: 0, usdMicros: 10_000n, valuation: 'par' },
    ]);
    expect(found).toMatchObject({ mode: 'scan', complete: true, period: january });
    expect(found.skipped).toEqual({
      below_min_usd: [dust],
      not_a_payment: [swapped],
      not_final: [young],
      transaction_failed: [failed],
      unsupported_token: [spam],
      wallet_not_involved: [others],
    });
    // Six of them cost this wallet a fee, the failed one included.
    expect(found.changes?.leftOut).toEqual({
      network_fee: [{ mint: null, decimals: 9, raw: -6n * 5_000n }],
    });
    expect((await scan({ minMicros: 0n })).rows).toHaveLength(4);
  });

  it('counts a cut beside the main payment with what the wallet itself received', async () => {
    const made = new MadeTransaction({ feePayer: SHOP })
      .account('from', { owner: SHOP, amount: 9_000_000n })
      .account('seller', { owner: THIRD, amount: 0n })
      .account(usdc, { owner: ME, amount: 0n })
      .send('from', 'seller', 950_000n, { authority: SHOP })
      .send('from', usdc, 50_000n, { authority: SHOP });
    happen('cut', made);
    expect((await scan()).rows).toMatchObject([{ usdMicros: 50_000n }]);
  });

  it('is refused while a transaction cannot be read, because nothing is left out silently', async () => {
    happen('out', paid(250_000n));
    const strange = happen('strange', paid(1n), { version: 1 });
    expect(await caught(scan())).toMatchObject({
      code: 'scan_incomplete',
      status: 503,
      details: { tx_signature: strange },
    });
  });

  it('puts every payment into exactly one of two adjacent months', async () => {
    const edge = Date.UTC(2026, 1, 1) / 1000;
    const names = [-2, -1, 0, 1].map((n) =>
      happen(`edge ${n}`, paid(250_000n), { blockTime: edge + n }),
    );
    for (const end of ['2026-02-01T00:00:00Z', '2026-01-31T23:59:59Z']) {
      const first = await scan({ period: month('2026-01-01', end) });
      const second = await scan({ period: month('2026-02-01', '2026-02-28T23:59:59Z') });
      expect(first.rows.map((row) => row.signature)).toEqual(names.slice(0, 2));
      expect(second.rows.map((row) => row.signature)).toEqual(names.slice(2));
    }
  });

  it('of a wallet without payments lists what it left out', async () => {
    expect(await caught(scan())).toMatchObject({
      code: 'nothing_to_state',
      details: { skipped: {} },
    });
    happen('dust', paid(9_999n));
    expect(await caught(scan())).toMatchObject({ details: { skipped: { below_min_usd: 1 } } });
  });
});

describe('a scan of much', () => {
  /** So many lines of the wallet's own history, newest first, all in the period. */
  const tell = (names: readonly string[]) => {
    const { answer } = node;
    node.answer = (call) => {
      const { method, params } = call;
      if (method !== 'getSignaturesForAddress' || params[0] !== ME) return answer(call);
      const { before } = z.object({ before: z.string().optional() }).parse(params[1]);
      const from = before === undefined ? 0 : names.indexOf(before) + 1;
      const page = names.slice(from, from + 1_000).map((signature, n) => ({
        signature,
        slot: 200_000 - from - n,
        blockTime: DAY,
        err: null,
        confirmationStatus: 'finalized',
        transactionIndex: 0,
      }));
      return { result: page };
    };
  };
  const names = (count: number) =>
    Array.from({ length: count }, (_, n) => signatureOf(`many ${n}`));

  it('of more than 20,000 transactions is refused before any is read, naming the limit', async () => {
    tell(names(20_001));
    const error = await caught(scan());
    expect(error).toMatchObject({
      code: 'too_many_transactions',
      status: 400,
      details: { limit: 20_000 },
    });
    expect(String(error)).toContain('20,000');
    expect(node.calls.filter(({ method }) => method === 'getTransaction')).toEqual([]);
  });

  it('has 5,000 rows at most, and is refused with the limit above that', async () => {
    const one = happen('one', paid(250_000n));
    await scan();
    const read = (await loadFinalReadings(context(), [one])).get(one);
    if (!read?.reading.ok) throw new Error('the payment was not read');
    const { movements } = read.reading;
    const all = names(5_001);
    await storeTransferReadings(
      context(),
      all.map((signature) => ({
        ...read,
        signature,
        reading: judgeMovements({ ...movements, signature }, { network: 'local', prices: [] }),
      })),
    );
    tell(all.slice(1));
    expect((await scan()).rows).toHaveLength(5_000);
    tell(all);
    const error = await caught(scan());
    expect(error).toMatchObject({
      code: 'too_many_transactions',
      status: 400,
      details: { limit: 5_000 },
    });
    expect(String(error)).toContain('has 5001 payments');
  });
});

describe('a list', () => {
  it('has each payment once, by slot and signature, and asks the chain for it once', async () => {
    const [one, two] = [happen('one', paid(250_000n)), happen('two', paid(300_000n))];
    const found = await list(two, one, two, one);
    expect(found.rows.map((row) => row.signature)).toEqual([one, two]);
    expect(found.skipped).toEqual({});
    const before = node.calls.length;
    expect(await list(one, two)).toEqual(found);
    expect(node.calls.length).toBe(before);
  });

  it('takes what a scan would leave out as too small', async () => {
    const dust = happen('dust', paid(1n));
    expect((await list(dust)).rows).toMatchObject([{ usdMicros: 1n }]);
  });

  it('is asked for again while a payment is not final, and refused once that has vanished', async () => {
    const final = happen('final', paid(250_000n));
    const young = happen('young', paid(300_000n), { status: 'confirmed' });
    expect(await caught(list(final, young))).toMatchObject({
      code: 'transaction_not_final',
      status: 503,
      details: { tx_signature: young },
    });
    ledger.delete(young);
    expect(await caught(list(final, young))).toMatchObject({
      code: 'transaction_not_found',
      status: 400,
      details: { tx_signature: young },
    });
  });

  it('is refused for the first that is no payment of the wallet, named with its reason', async () => {
    const good = happen('good', paid(250_000n));
    for (const [name, made, code] of [
      ['others', foreign(), 'wallet_not_involved'],
      ['swap', swap(), 'not_a_payment'],
      ['junk', paid(8n, { into: true, mint: JUNK, account: named('spam') }), 'unsupported_token'],
    ] as const) {
      const signature = happen(name, made);
      const refused = await caught(list(good, signature));
      expect(refused).toMatchObject({ code, details: { tx_signature: signature } });
      expect(refused).toMatchObject({
        message: expect.stringContaining('Transaction verification failed') as unknown,
      });
    }
    expect(await caught(list())).toMatchObject({ code: 'nothing_to_state' });
    const many = Array.from({ length: 5_001 }, (_, n) => signatureOf(`many ${n}`));
    expect(await caught(list(...many))).toMatchObject({ code: 'too_many_transactions' });
  });
});
