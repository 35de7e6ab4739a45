import { isSignature, isWalletAddress } from '@quittance/verify/wallets/base58';
import { Prisma } from '@/generated/prisma/client';
import type { Db } from '@/server/db/client';
import type { Network } from '@/server/env';
import { type PriceOf, receiptRows } from '@/server/exports/leg-rows';
import type { PlainRow } from '@/server/receipts/receipt-codec';
import {
  cursorAfter,
  type DashboardRow,
  pageRows,
  type PageWish,
  type RowCursor,
  type RowFilter,
} from './page-rows';
import type { DaySum } from './sum-rows';

type View = Pick<RowFilter, 'wallet' | 'role' | 'mint'> & { network: Network; priceOf: PriceOf };

/**
 * The rows of a payment that are of a wallet: one for each leg that it paid or received, of the token that is
 * selected. The leg of the receipt itself comes first.
 */
export function paymentRows(payment: DashboardPayment, view: View): PlainRow[] {
  const rows =
    payment.kind === 'receipt'
      ? receiptRows(payment.receipt, view)
      : payment.rows.map((row) => statedRow(row, view));
  return rows.filter(({ mint }) => view.mint === undefined || mint === view.mint);
}

function statedRow(
  { statementId: _, position: __, counterparty, ...row }: StatedRow,
  { wallet, role }: View,
): PlainRow {
  const isPayer = role === 'payer';
  return {
    ...row,
    payer: isPayer ? wallet : counterparty,
    seller: isPayer ? counterparty : wallet,
    receiptId: null,
    serviceType: null,
    transactionType: null,
    invoiceId: null,
    metadataUri: null,
    mintStatus: null,
    assetId: null,
  };
}

/**
 * One transaction in the list of a dashboard: its receipt, or the rows of a statement if it has
 * none.
 */
export type DashboardPayment = { place: RowCursor } & (
  { kind: 'receipt'; receipt: DashboardRow } | { kind: 'stated'; rows: StatedRow[] }
);

/** One page of the payments of a wallet, in the order of the chain. */
export async function pagePayments(db: Db, o: PageWish): Promise<DashboardPayment[]> {
  const [receipts, stated] = await Promise.all([pageRows(db, o), pageStated(db, o)]);
  const payments: DashboardPayment[] = [
    ...receipts.map((receipt) => ({
      kind: 'receipt' as const,
      receipt,
      place: cursorAfter(receipt),
    })),
    ...stated.flatMap((rows) => {
      const [first] = rows;
      return first ? [{ kind: 'stated' as const, rows, place: placeOf(first) }] : [];
    }),
  ];
  const sign = o.order === 'newest' ? -1 : 1;
  return payments.sort((a, b) => sign * comparePlaces(a.place, b.place)).slice(0, o.limit);
}

function comparePlaces(a: RowCursor, b: RowCursor): number {
  return (
    a.blockTime.getTime() - b.blockTime.getTime() ||
    Number(a.slot - b.slot) ||
    a.blockIndex - b.blockIndex ||
    (a.id < b.id ? -1 : 1)
  );
}

/** A row of a statement of the wallet, of a transaction that has no receipt. */
export type StatedRow = {
  statementId: string;
  txSignature: string;
  blockTime: Date;
  slot: bigint;
  /** Place among the rows of its statement, which is the order of the chain. */
  position: number;
  counterparty: string;
  token: string;
  mint: string | null;
  dtifCode: string | null;
  decimals: number;
  amountRaw: bigint;
  amountSentRaw: bigint;
  feeWithheldRaw: bigint;
  usdMicros: bigint;
  valuation: string;
};

/** After every receipt of its slot: no position in a block is as large. */
const BEHIND_RECEIPTS = 2 ** 31;

/** Where a transaction without a receipt stands among the payments of a dashboard. */
function placeOf({ blockTime, slot, position, txSignature }: StatedRow): RowCursor {
  return { blockTime, slot, blockIndex: BEHIND_RECEIPTS + position, id: txSignature };
}

/**
 * Transactions that statements of the wallet list and that have no receipt, for example a payout to
 * many, which cannot have one. One page of them, each with all its rows of the side. The newest
 * statement that lists a transaction counts.
 */
async function pageStated(db: Db, o: PageWish): Promise<StatedRow[][]> {
  if (o.status !== undefined) return [];
  const order = o.order === 'newest' ? Prisma.sql`desc` : Prisma.sql`asc`;
  const rows = await db.$queryRaw<StatedRow[]>`
    with listed as (${listed(o)}),
    page as (
      select tx_signature, block_time, slot, min(position) as position from listed
       group by 1, 2, 3 having true ${after(o)}
       order by block_time ${order}, slot ${order}, min(position) ${order}, tx_signature collate "C" ${order}
       limit ${o.limit})
    select statement_id as "statementId", tx_signature as "txSignature", block_time as "blockTime", slot,
           position, counterparty, token, mint, dtif_code as "dtifCode", decimals,
           amount_raw as "amountRaw", amount_sent_raw as "amountSentRaw",
           fee_withheld_raw as "feeWithheldRaw", usd_micros as "usdMicros", valuation
      from listed where tx_signature in (select tx_signature from page)
     order by position`;
  const payments = new Map<string, StatedRow[]>();
  for (const row of rows)
    payments.set(row.txSignature, [...(payments.get(row.txSignature) ?? []), row]);
  return [...payments.values()];
}

/** Sums of the same rows by UTC day and token. */
export async function sumStated(db: Db, o: RowFilter): Promise<DaySum[]> {
  if (o.status !== undefined) return [];
  const rows = await db.$queryRaw<(Omit<DaySum, 'amountRaw' | 'usdMicros'> & Texts)[]>`
    with listed as (${listed(o)}),
    numbered as (
      select *, row_number() over (partition by tx_signature order by position) as nth from listed)
    select to_char(block_time at time zone 'UTC', 'YYYY-MM-DD') as day, mint, token, decimals, valuation,
           count(*)::int as "rowCount", (count(*) filter (where nth = 1))::int as count,
           sum(amount_raw)::text as amount, sum(usd_micros)::text as usd
      from numbered group by 1, 2, 3, 4, 5 order by 1`;
  return rows.map(({ amount, usd, ...rest }) => ({
    ...rest,
    amountRaw: BigInt(amount),
    usdMicros: BigInt(usd),
  }));
}
type Texts = { amount: string; usd: string };

function listed(o: RowFilter): Prisma.Sql {
  return Prisma.sql`
    select w.* from statement_rows w
      join (
        select distinct on (c.tx_signature) c.tx_signature, c.statement_id
          from statements s join statement_rows c on c.statement_id = s.id
         where s.wallet = ${o.wallet} and c.role = ${o.role}
           and c.block_time >= ${o.from} and c.block_time < ${o.until} ${searched(o)}
           and not exists (select 1 from receipts r
                            where r.tx_signature = c.tx_signature and r.released_at is null)
         order by c.tx_signature, s.created_at desc, s.id) chosen
        on w.statement_id = chosen.statement_id and w.tx_signature = chosen.tx_signature
     where w.role = ${o.role} ${tokenIs(o)}`;
}

function tokenIs({ mint }: RowFilter): Prisma.Sql {
  return mint === undefined ? Prisma.empty : Prisma.sql`and w.mint is not distinct from ${mint}`;
}

/** Such a row has no words of its own: a signature, a wallet or the id of the statement finds it. */
function searched({ search }: RowFilter): Prisma.Sql {
  const text = search?.trim() ?? '';
  if (text === '') return Prisma.empty;
  if (isSignature(text)) return Prisma.sql`and c.tx_signature = ${text}`;
  if (isWalletAddress(text)) return Prisma.sql`and c.counterparty = ${text}`;
  return Prisma.sql`and s.id = ${text.toUpperCase()}`;
}

/** The same order as that of receipts, with {@link placeOf} for the place in the block. */
function after({ cursor, order }: PageWish): Prisma.Sql {
  if (!cursor) return Prisma.empty;
  const beyond = order === 'newest' ? Prisma.sql`<` : Prisma.sql`>`;
  const place = Prisma.sql`(block_time, slot, ${BigInt(BEHIND_RECEIPTS)}::bigint + min(position), tx_signature collate "C")`;
  return Prisma.sql`and ${place} ${beyond}
    (${cursor.blockTime}, ${cursor.slot}, ${BigInt(cursor.blockIndex)}::bigint, ${cursor.id})`;
}
