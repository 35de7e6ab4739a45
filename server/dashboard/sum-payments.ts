import { dayOf } from '@/server/clock';
import type { Db } from '@/server/db/client';
import type { Network } from '@/server/env';
import { furtherRows, type PriceOf } from '@/server/exports/leg-rows';
import {
  cursorAfter,
  type DashboardRow,
  pageRows,
  type RowCursor,
  type RowFilter,
} from './page-rows';
import { sumStated } from './payment-rows';
import { type DaySum, sumRows } from './sum-rows';

/**
 * Sums of everything that a wallet's dashboard lists, by UTC day and token, oldest first. They
 * include the transfers of its receipts, their further legs, and payments that only a statement
 * lists.
 */
export async function sumPayments(db: Db, o: Parameters<typeof sumLegs>[1]): Promise<DaySum[]> {
  const parts = await Promise.all([sumRows(db, o.filter), sumLegs(db, o), sumStated(db, o.filter)]);
  const sums = new Map<string, DaySum>();
  for (const one of parts.flat()) {
    const key = [one.day, one.mint ?? '', one.decimals, one.valuation].join('/');
    const sum = sums.get(key);
    if (sum) add(sum, one);
    else sums.set(key, one);
  }
  return [...sums.values()].sort((a, b) => (a.day < b.day ? -1 : a.day > b.day ? 1 : 0));
}

function add(sum: DaySum, one: DaySum): void {
  sum.count += one.count;
  sum.rowCount += one.rowCount;
  sum.amountRaw += one.amountRaw;
  sum.usdMicros += one.usdMicros;
}

/** Receipts in memory at once. */
const PAGE = 500;

type Legs = {
  filter: RowFilter;
  network: Network;
  /** Called with each page before its prices are read. */
  prepare: (rows: readonly DashboardRow[]) => Promise<void>;
  priceOf: PriceOf;
};

/**
 * Sums of the further legs of a wallet's receipts by UTC day and token. Only receipts with such legs are read,
 * page by page, because each leg is valued separately. No sum includes legs without a value.
 */
export async function sumLegs(db: Db, o: Legs): Promise<DaySum[]> {
  const sums = new Map<string, DaySum>();
  let cursor: RowCursor | null = null;
  for (;;) {
    const page: DashboardRow[] = await pageRows(db, {
      ...o.filter,
      cursor,
      limit: PAGE,
      order: 'oldest',
      hasLegs: true,
    });
    await o.prepare(page);
    for (const receipt of page) addLegs(sums, receipt, o);
    const last = page.at(-1);
    if (!last || page.length < PAGE) return [...sums.values()];
    cursor = cursorAfter(last);
  }
}

function addLegs(sums: Map<string, DaySum>, receipt: DashboardRow, o: Legs): void {
  const { wallet, mint: wanted } = o.filter;
  const isOwn = wallet === receipt.payer || wallet === receipt.seller;
  // The sums of receipts have counted it already.
  let isCounted = isOwn && (wanted === undefined || wanted === receipt.mint);
  for (const row of furtherRows(receipt, { wallet, network: o.network, priceOf: o.priceOf })) {
    const { mint, token, decimals, valuation, usdMicros } = row;
    if (usdMicros === null || (wanted !== undefined && wanted !== mint)) continue;
    const day = dayOf(row.blockTime);
    const key = [day, mint ?? '', decimals, valuation].join('/');
    const sum = sums.get(key) ?? {
      day,
      mint,
      token,
      decimals,
      valuation,
      count: 0,
      rowCount: 0,
      amountRaw: 0n,
      usdMicros: 0n,
    };
    sums.set(key, sum);
    sum.count += isCounted ? 0 : 1;
    isCounted = true;
    sum.rowCount += 1;
    sum.amountRaw += row.amountRaw;
    sum.usdMicros += usdMicros;
  }
}
