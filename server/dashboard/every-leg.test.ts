import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Env } from '@/server/env';
import { rowValuer } from '@/server/exports/value-rows';
import { fillReceipts } from '@/server/exports/receipts.fixture';
import { loadRows } from '@/server/statements/stored-rows';
import { sumRows as sumStatement } from '@quittance/verify/statements/statement-rows';
import { trusted } from '@/server/trusted';
import { createTestDatabase, type TestDatabase } from '@/tests/harness/create-test-database';
import { type DashboardPayment, pagePayments, paymentRows } from './payment-rows';
import type { RowCursor } from './page-rows';
import { sumPayments } from './sum-payments';

const [PAYER, SHOP, MARKET, STAFF] = ['Payer', 'Shop', 'Market', 'Staff'];
const USDC = 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v';
const BONK = 'DezXAZ8z7PnrnRJjz3wXBoRgixCa6xjnB7YaB1pPB263';
const at = '2025-01-01T00:00:00.000Z';
const period = { from: new Date('2025-01-01'), until: new Date('2025-02-01') };

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
  await fillReceipts(database.prisma, { wallet: 'Zother', other: 'Y', count: 1 });
  // 10 USDC of which the shop got 8.5 and the marketplace 1.5, and a token without value for the
  // shop.
  const legs = [
    { owner: MARKET, amount: '1500000' },
    { owner: SHOP, amount: '77', mint: BONK, decimals: 5 },
  ];
  await database.prisma.$executeRaw`
    insert into receipts (id, tx_signature, payer, seller, mint, token_program, token, dtif_code,
      decimals, amount_raw, amount_sent_raw, fee_withheld_raw, other_legs, usd_micros, valuation, slot,
      block_index, block_time, service_type, reported_by, metadata_item_id, image_item_id, created_at)
    select 'L00000000001', 'split', ${PAYER}, ${SHOP}, mint, token_program, token, dtif_code,
      decimals, 8500000, 8500000, 0, ${JSON.stringify(legs)}::jsonb, 8500000, valuation, 5, 3,
      ${at}::timestamptz, service_type, reported_by, metadata_item_id, image_item_id, created_at
      from receipts where id = 'Z00000000000'`;
  await database.prisma.$executeRaw`
    insert into mints (id, kind, owner, name, metadata_uri, metadata_item_id, image_item_id, status,
      stage, redrive_at, created_at, updated_at)
    select 'L00000000001', kind, owner, name, metadata_uri, metadata_item_id, image_item_id, status,
      stage, redrive_at, created_at, updated_at from mints where id = 'Z00000000000'`;
  // Two statements of the payer list the same payout; the shop has one over what it got.
  await state({ id: 'STMT00000001', wallet: PAYER, day: 1 });
  await state({ id: 'STMT00000002', wallet: PAYER, day: 2 });
  await state({ id: 'STMT00000003', wallet: SHOP, day: 1 });
});
afterAll(() => database.close());

/** A statement of both transactions: the payment by receipt, and a payout of 2 USDC each to two. */
async function state(o: { id: string; wallet: string; day: number }): Promise<void> {
  const { id, wallet } = o;
  const isPayer = wallet === PAYER;
  const role = isPayer ? ('payer' as const) : ('seller' as const);
  const row = { slot: 5n, blockTime: new Date(at), role };
  const usdc = (amount: bigint) => ({
    mint: USDC,
    token: 'USDC',
    decimals: 6,
    valuation: 'par' as const,
    amountRaw: amount,
    amountSentRaw: amount,
    feeWithheldRaw: 0n,
    usdMicros: amount,
  });
  const legs = [
    { txSignature: 'split', leg: 0, counterparty: SHOP, ...usdc(8_500_000n) },
    { txSignature: 'split', leg: 1, counterparty: MARKET, ...usdc(1_500_000n) },
    { txSignature: 'payout', leg: 0, counterparty: SHOP, ...usdc(2_000_000n) },
    { txSignature: 'payout', leg: 1, counterparty: STAFF, ...usdc(2_000_000n) },
  ].filter(({ counterparty }) => isPayer || counterparty === SHOP);
  await database.prisma.statement.create({
    data: {
      id,
      wallet,
      mode: 'list',
      txCount: 2,
      totalUsdMicros: 0n,
      csvSha256: '',
      merkleRoot: '',
      complete: true,
      skipped: {},
      metadataItemId: 'item',
      imageItemId: 'item',
      createdAt: new Date(Date.UTC(2025, 1, o.day)),
      rows: {
        create: legs.map((leg, position) => ({
          ...row,
          ...leg,
          position,
          ...(isPayer ? {} : { counterparty: PAYER }),
        })),
      },
    },
  });
}

const valuer = () =>
  rowValuer(
    {
      db: database.prisma,
      env: trusted<Env>({ network: 'local' }, 'US dollars ask no source'),
    },
    'US',
  );
type View = { wallet: string; role: 'payer' | 'seller'; mint?: string };

async function sumsOf(view: View & { search?: string; status?: 'failed' }) {
  const { prepare, priceOf } = valuer();
  const filter = { ...view, ...period };
  return sumPayments(database.prisma, { filter, network: 'local', prepare, priceOf });
}
async function listed(view: View, o: { search?: string; limit?: number } = {}) {
  const { search, limit = 10 } = o;
  const payments: DashboardPayment[] = [];
  let cursor: RowCursor | null = null;
  for (;;) {
    const page = await pagePayments(database.prisma, {
      ...view,
      ...period,
      search,
      cursor,
      limit,
      order: 'newest',
    });
    payments.push(...page);
    const last = page.at(-1);
    if (!last || page.length < limit) break;
    cursor = last.place;
  }
  const { priceOf } = valuer();
  return payments
    .flatMap((one) => paymentRows(one, { ...view, network: 'local', priceOf }))
    .map((row) => [row.txSignature, row.payer, row.seller, row.token, row.amountRaw]);
}

describe('the totals of a dashboard', () => {
  it.each([
    ['payer', PAYER, 'STMT00000002'],
    ['seller', SHOP, 'STMT00000003'],
  ] as const)('are those of a statement of the same %s', async (role, wallet, id) => {
    const statement = sumStatement(await loadRows(database.prisma, id));
    const [sum, ...others] = await sumsOf({ wallet, role });
    expect(others).toEqual([]);
    expect([sum?.count, sum?.rowCount]).toEqual([statement.txCount, statement.rowCount]);
    expect(sum?.usdMicros).toBe(statement.totalMicros);
    const [token] = statement.tokens;
    expect(sum?.amountRaw).toBe(role === 'payer' ? token?.asPayer : token?.asSeller);
  });

  it('hold what a wallet got as a further leg, and nothing twice', async () => {
    expect(await sumsOf({ wallet: PAYER, role: 'payer' })).toMatchObject([
      { day: '2025-01-01', token: 'USDC', count: 2, rowCount: 4, amountRaw: 14_000_000n },
    ]);
    expect(await sumsOf({ wallet: MARKET, role: 'seller' })).toMatchObject([
      { token: 'USDC', count: 1, rowCount: 1, amountRaw: 1_500_000n, usdMicros: 1_500_000n },
    ]);
    expect(await sumsOf({ wallet: STAFF, role: 'seller' })).toEqual([]);
    expect(await sumsOf({ wallet: PAYER, role: 'payer', mint: BONK })).toEqual([]);
  });

  it('obey a search and a state, leg by leg', async () => {
    const own = { wallet: PAYER, role: 'payer' } as const;
    const sums = async (o: Parameters<typeof sumsOf>[0]) =>
      (await sumsOf(o)).map(({ count, rowCount, amountRaw }) => [count, rowCount, amountRaw]);
    expect(await sums({ ...own, search: 'STMT00000002' })).toEqual([[1, 2, 4_000_000n]]);
    expect(await sums({ ...own, search: 'api access' })).toEqual([[1, 2, 10_000_000n]]);
    const market = { wallet: MARKET, role: 'seller' } as const;
    expect(await sums({ ...market, search: 'api access' })).toEqual([[1, 1, 1_500_000n]]);
    expect(await sums({ ...market, search: 'nothing' })).toEqual([]);
    // A payment of a statement alone has no state.
    expect(await sums({ ...own, status: 'failed' })).toEqual([]);
  });
});

describe('the list of a dashboard', () => {
  const split = [
    ['split', PAYER, SHOP, 'USDC', 8_500_000n],
    ['split', PAYER, MARKET, 'USDC', 1_500_000n],
    ['split', PAYER, SHOP, 'BONK', 77n],
  ];
  const payout = [
    ['payout', PAYER, SHOP, 'USDC', 2_000_000n],
    ['payout', PAYER, STAFF, 'USDC', 2_000_000n],
  ];

  it.each([1, 10])('has every leg of a wallet once, over pages of %d', async (limit) => {
    const own = { wallet: PAYER, role: 'payer' } as const;
    expect(await listed(own, { limit })).toEqual([...payout, ...split]);
    expect(await listed({ wallet: SHOP, role: 'seller' }, { limit })).toEqual([
      ...[payout[0], split[0], split[2]],
    ]);
    expect(await listed({ wallet: MARKET, role: 'seller' }, { limit })).toEqual([split[1]]);
  });

  it('is narrowed by token, by receiver and by statement, leg by leg', async () => {
    const own = { wallet: PAYER, role: 'payer' } as const;
    expect(await listed({ ...own, mint: BONK })).toEqual([split[2]]);
    expect(await listed({ wallet: SHOP, role: 'seller', mint: BONK })).toEqual([split[2]]);
    expect(await listed({ wallet: MARKET, role: 'seller', mint: USDC })).toEqual([split[1]]);
    expect(await listed({ wallet: MARKET, role: 'seller', mint: BONK })).toEqual([]);
    expect(await listed(own, { search: 'stmt00000002' })).toEqual(payout);
    expect(await listed(own, { search: 'STMT00000001' })).toEqual(payout);
    expect(await listed(own, { search: 'api access' })).toEqual(split);
    expect(await listed({ wallet: MARKET, role: 'seller' }, { search: 'api acc' })).toEqual([
      split[1],
    ]);
  });

  it('lists a transaction by its receipt as soon as there is one, and by the statement before', async () => {
    await database.prisma
      .$executeRaw`update receipts set released_at = now() where id = 'L00000000001'`;
    expect(await listed({ wallet: PAYER, role: 'payer' })).toEqual([
      ...payout,
      ...split.slice(0, 2),
    ]);
    expect(await listed({ wallet: MARKET, role: 'seller' })).toEqual([]);
    await database.prisma
      .$executeRaw`update receipts set released_at = null where id = 'L00000000001'`;
    expect(await listed({ wallet: PAYER, role: 'payer' })).toEqual([...payout, ...split]);
  });
});
