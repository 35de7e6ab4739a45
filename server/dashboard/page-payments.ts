import type { Db } from '@/server/db/client';
import {
  cursorAfter,
  pageRows,
  type DashboardRow,
  type PageWish,
  type RowCursor,
} from './page-rows';
import { pageStated, placeOf, type StatedRow } from './stated-payments';

/** One transaction as a dashboard lists it: by its receipt, or by the rows of a statement where it has none. */
export type DashboardPayment = { place: RowCursor } & (
  { kind: 'receipt'; receipt: DashboardRow } | { kind: 'stated'; rows: StatedRow[] }
);

/** One page of the payments of a wallet, in the order of the chain. */
export async function pagePayments(db: Db, o: PageWish): Promise<DashboardPayment[]> {
  const [receipts, stated] = await Promise.all([pageRows(db, o), pageStated(db, o)]);
  const payments: DashboardPayment[] = [
    ...receipts.map((receipt) => ({
      ...{ kind: 'receipt' as const, receipt, place: cursorAfter(receipt) },
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
