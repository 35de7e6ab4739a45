import type { LedgerEntry, LedgerReconciliation } from '@/generated/prisma/client';
import type { Db } from '@/server/db/client';
import { databaseNow } from '@/server/db/database-clock';
import { partiesOf } from './entries';

/** The books of one token, in base units. `unused` holds surpluses as well. */
export type Books = {
  asset: string;
  token: string;
  decimals: number;
  /** From others: `cameIn = bought + refunded + unused`. */
  cameIn: bigint;
  bought: bigint;
  refunded: bigint;
  unused: bigint;
  withdrawn: bigint;
  /** Network fees and rent. */
  costs: bigint;
  /** Between accounts of ours: inflow less outflow. Only for wrapped SOL it is not zero. */
  internal: bigint;
  /** Outflow without an explanation. */
  unexplained: bigint;
  /** Prices of payments that bought something and that the ledger does not have as received. */
  unbacked: bigint;
  /** Balances of our accounts on chain. */
  balance: bigint;
  /** Sum of the differences between the balances and the rows of our accounts: missing rows. */
  difference: bigint;
};

/**
 * Adds up the ledger by token and compares it with the balances of the last scan and with the
 * purchases. Keeps the figures as those of the database's day. All sums are whole numbers. Safe to
 * repeat: the last one of a day stays.
 */
export async function reconcile(db: Db): Promise<Books[]> {
  const madeAt = await databaseNow(db);
  const books = await readBooks(db);
  for (const one of books) await keep(db, one, madeAt);
  return books;
}

type Sums = Record<
  | 'came_in'
  | 'withdrawn'
  | 'costs'
  | 'internal'
  | 'unexplained'
  | 'balance'
  | 'rows'
  | 'refunded'
  | 'bought'
  | 'backed'
  | 'unbacked',
  string
> & { asset: string; token: string; decimals: number };

async function readBooks(db: Db): Promise<Books[]> {
  const rows = await db.$queryRaw<Sums[]>`
    with entries as (
      select coalesce(mint, 'SOL') as asset, min(token) as token, max(decimals) as decimals,
        sum(after_raw - before_raw) as rows,
        sum(amount_raw) filter (where direction = 'in' and purpose is distinct from 'internal') as came_in,
        sum(amount_raw - cost_raw) filter (where purpose = 'withdrawal') as withdrawn,
        sum(cost_raw) filter (where purpose is distinct from 'internal') as costs,
        sum(after_raw - before_raw) filter (where purpose = 'internal') as internal,
        sum(amount_raw - cost_raw) filter (where direction = 'out' and purpose is null) as unexplained
      from ledger_entries group by 1),
    balances as (
      select coalesce(mint, 'SOL') as asset, sum(balance_raw) as balance, sum(abs(difference_raw)) as difference
      from ledger_accounts where token is not null group by 1),
    refunds as (select token, sum(amount_raw) as refunded from ledger_refunds group by token),
    scanned as (select min(up_to_slot) as slot from ledger_accounts where token = 'USDC'),
    purchases as (
      select price_micros, slot, exists (
        select 1 from ledger_entries entry
        where entry.signature = payments.signature and entry.direction = 'in' and entry.token = 'USDC'
          and entry.amount_raw >= payments.price_micros) as is_backed
      from payments where state = 'used'),
    sold as (
      select sum(price_micros) as bought, sum(price_micros) filter (where is_backed) as backed,
        -- One that is newer than the last scan will have its row with the next.
        sum(price_micros) filter (where not is_backed and purchases.slot <= scanned.slot) as unbacked
      from purchases cross join scanned)
    select entries.asset, entries.token, entries.decimals,
      coalesce(came_in, 0)::text as came_in,
      coalesce(withdrawn, 0)::text as withdrawn, coalesce(costs, 0)::text as costs,
      coalesce(internal, 0)::text as internal, coalesce(unexplained, 0)::text as unexplained,
      coalesce(balances.balance, 0)::text as balance, coalesce(balances.difference, 0)::text as rows,
      coalesce(refunds.refunded, 0)::text as refunded,
      case when entries.token = 'USDC' then coalesce(sold.bought, 0) else 0 end::text as bought,
      case when entries.token = 'USDC' then coalesce(sold.backed, 0) else 0 end::text as backed,
      case when entries.token = 'USDC' then coalesce(sold.unbacked, 0) else 0 end::text as unbacked
    from entries
      left join balances on balances.asset = entries.asset
      left join refunds on refunds.token = entries.token
      cross join sold
    order by entries.token, entries.asset`;
  return rows.map(toBooks);
}

function toBooks(row: Sums): Books {
  const cameIn = BigInt(row.came_in);
  const refunded = BigInt(row.refunded);
  return {
    asset: row.asset,
    token: row.token,
    decimals: row.decimals,
    cameIn,
    bought: BigInt(row.bought),
    refunded,
    unused: cameIn - BigInt(row.backed) - refunded,
    withdrawn: BigInt(row.withdrawn),
    costs: BigInt(row.costs),
    internal: BigInt(row.internal),
    unexplained: BigInt(row.unexplained),
    unbacked: BigInt(row.unbacked),
    balance: BigInt(row.balance),
    difference: BigInt(row.rows),
  };
}

async function keep(db: Db, one: Books, madeAt: Date): Promise<void> {
  const { asset, token, decimals } = one;
  const figures = {
    token,
    decimals,
    cameInRaw: one.cameIn,
    boughtRaw: one.bought,
    refundedRaw: one.refunded,
    unusedRaw: one.unused,
    withdrawnRaw: one.withdrawn,
    costsRaw: one.costs,
    internalRaw: one.internal,
    unexplainedRaw: one.unexplained,
    unbackedRaw: one.unbacked,
    balanceRaw: one.balance,
    differenceRaw: one.difference,
    madeAt,
  };
  const day = new Date(madeAt.toISOString().slice(0, 10));
  await db.ledgerReconciliation.upsert({
    where: { day_asset: { day, asset } },
    create: { day, asset, ...figures },
    update: figures,
  });
}

/**
 * The books of the last day that has any, for gauges. Reads a few rows and does not add up the
 * ledger.
 */
export async function lastBooks(db: Db): Promise<LedgerReconciliation[]> {
  const last = await db.ledgerReconciliation.findFirst({
    orderBy: { day: 'desc' },
    select: { day: true },
  });
  return last
    ? db.ledgerReconciliation.findMany({ where: { day: last.day }, orderBy: { asset: 'asc' } })
    : [];
}

/** Money that left our wallets without an explanation. */
export type Unexplained = {
  signature: string;
  wallet: string;
  token: string;
  decimals: number;
  amountRaw: bigint;
  slot: bigint;
  blockTime: Date;
  /** Its receivers. */
  to: string[];
  /**
   * Payments of those wallets before it, which buy nothing until it is explained; at most the
   * newest.
   */
  mayRefund: string[];
};

/** The most shown of each, for a page that people read. The blocking itself has no limit. */
const MOST_SHOWN = 200;
const MOST_PAYMENTS = 20;

/**
 * Money that left without a record, oldest first, with the payments that each may be the refund of.
 */
export async function listUnexplained(db: Db): Promise<Unexplained[]> {
  const rows = await db.ledgerEntry.findMany({
    where: { direction: 'out', purpose: null },
    orderBy: [{ slot: 'asc' }, { signature: 'asc' }],
    take: MOST_SHOWN,
  });
  return Promise.all(rows.map((row) => describe(db, row)));
}

async function describe(db: Db, row: LedgerEntry): Promise<Unexplained> {
  const to = partiesOf(row).map(({ owner }) => owner);
  const wanted = to.map((owner) => JSON.stringify([{ owner }]));
  const earlier = await db.$queryRaw<{ signature: string }[]>`
    select distinct signature, slot from ledger_entries
    where direction = 'in' and token = ${row.token} and slot <= ${row.slot}
      and parties @> any(${wanted}::jsonb[])
    order by slot desc limit ${MOST_PAYMENTS}`;
  return {
    signature: row.signature,
    wallet: row.wallet,
    token: row.token,
    decimals: row.decimals,
    amountRaw: row.amountRaw,
    slot: row.slot,
    blockTime: row.blockTime,
    to,
    mayRefund: earlier.map(({ signature }) => signature),
  };
}
