import { Prisma } from '@/generated/prisma/client';
import type { Db } from '@/server/db/client';
import { isNarrowed, narrowedBy, periodOf, type RowFilter, sideOf, tokenIs } from './page-rows';

/** Amounts received or sent on one UTC day in one token. */
export type DaySum = {
  /** YYYY-MM-DD. */
  day: string;
  mint: string | null;
  token: string;
  decimals: number;
  valuation: string;
  /** Transactions that no other sum counts. */
  count: number;
  /** Legs. */
  rowCount: number;
  amountRaw: bigint;
  usdMicros: bigint;
};

/** Sums of what a wallet's receipts are about by UTC day and token, oldest first. */
export async function sumRows(db: Db, o: RowFilter): Promise<DaySum[]> {
  const rows = await db.$queryRaw<Summed[]>(isNarrowed(o) ? sumsOfFound(o) : sumsOfAll(o));
  return rows.map(({ day, amount, usd, ...rest }) => ({
    ...rest,
    day: new Date(day * DAY_MS).toISOString().slice(0, 10),
    amountRaw: BigInt(amount),
    usdMicros: BigInt(usd),
  }));
}

/** Each day is a range of the wallet's index of its own, so that nothing large has to be sorted. */
function sumsOfAll(o: RowFilter): Prisma.Sql {
  return Prisma.sql`
    with ends as (
      select floor(date_part('epoch', min(r.block_time)) / 86400)::int as first,
             floor(date_part('epoch', max(r.block_time)) / 86400)::int as last
        from receipts r where ${sideOf(o)} and ${periodOf(o)})
    select days.day, sums.*
      from ends cross join generate_series(ends.first, ends.last) days (day)
     cross join lateral (
       select ${SUMS} from receipts r
        where ${sideOf(o)} and ${periodOf(o)} ${tokenIs(o)}
          and r.block_time >= to_timestamp(days.day * 86400::float8)
          and r.block_time < to_timestamp((days.day + 1) * 86400::float8)
        group by 1, 2, 3, 4) sums
     order by 1`;
}

/** A search or a state is evaluated once, and usually finds few receipts. */
function sumsOfFound(o: RowFilter): Prisma.Sql {
  return Prisma.sql`
    select ${SUMS}, floor(date_part('epoch', r.block_time) / 86400)::int as day from receipts r
     where ${sideOf(o)} and ${periodOf(o)} ${tokenIs(o)} ${narrowedBy(o)}
     group by 1, 2, 3, 4, day order by day`;
}

const SUMS = Prisma.sql`
  r.mint, r.token, r.decimals, r.valuation, count(*)::int as count, count(*)::int as "rowCount",
  sum(r.amount_raw)::text as amount, sum(r.usd_micros)::text as usd`;

type Summed = Omit<DaySum, 'day' | 'amountRaw' | 'usdMicros'> & {
  day: number;
  amount: string;
  usd: string;
};
const DAY_MS = 86_400_000;

/** How many of a wallet's receipts, on either side, are not finished. */
export async function countUnfinished(
  db: Db,
  wallet: string,
): Promise<{ pending: number; failed: number }> {
  const rows = await db.$queryRaw<{ status: string; count: number }[]>`
    select m.status, count(*)::int as count
      from mints m join receipts r on r.id = m.id
     where m.status in ('pending', 'failed') and m.kind = 'receipt' and r.released_at is null
       and (r.seller = ${wallet} or r.payer = ${wallet})
     group by 1`;
  const of = (status: string) => rows.find((row) => row.status === status)?.count ?? 0;
  return { pending: of('pending'), failed: of('failed') };
}
