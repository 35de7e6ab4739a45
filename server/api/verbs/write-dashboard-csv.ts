import { csvLine, textCell } from '@/server/csv';
import {
  cursorAfter,
  pageRows,
  type DashboardRow,
  type RowCursor,
} from '@/server/dashboard/page-rows';
import { legRows, type PlainRow } from '@/server/exports/leg-rows';
import type { PriceOf } from '@/server/exports/unpack-receipt';
import { rowValuer } from '@/server/exports/value-rows';
import { storedBeside, storedLegs } from '@/server/receipts/receipt-beside';
import { CSV_COLUMNS, toCsvCells, type LocalColumns } from '@/server/receipts/transfer-row';
import type { Session } from '@/server/wallets/sign-in';
import type { CsvInput } from '../dashboard-schemas';
import type { RequestContext } from '../request-context';
import { filterOf } from './dashboard-filter';
import { countriesOf } from './list-dashboard';

/** Rows in memory at once. */
const PAGE = 500;

/**
 * The signed-in wallet's receipts as CSV, oldest first, in pieces: the columns of the public export, its
 * own note and, where it is the seller, the country of the payer. Throws `rates_unavailable` before the
 * first piece while a rate of the first page is not available; one that goes away later breaks it off.
 */
export async function writeDashboardCsv(
  ctx: RequestContext,
  session: Session,
  input: CsvInput,
): Promise<AsyncGenerator<string, void>> {
  const isSeller = input.role === 'seller';
  const filter = filterOf(session, input);
  const valuer = rowValuer(ctx.service, input.country);
  const load = async (cursor: RowCursor | null): Promise<DashboardRow[]> => {
    const rows = await pageRows(ctx.service.db, {
      ...filter,
      ...{ cursor, limit: PAGE, order: 'oldest' },
    });
    await valuer.prepareAll(rows);
    return rows;
  };
  const write = async (rows: readonly DashboardRow[]): Promise<string> => {
    const countries = isSeller ? await countriesOf(ctx, session, rows) : null;
    const lines = rows.flatMap((row) => {
      const country = countries?.get(row.receiptId);
      return [
        asPlain(row),
        ...furtherRows(row, ctx, { wallet: session.wallet, priceOf: valuer.priceOf }),
      ].map((one) =>
        csvLine([
          ...toCsvCells(toTransferRow(one, isSeller, valuer.localOf(one, one.blockTime))),
          textCell(row.label),
          ...(isSeller ? [country ?? '', country === undefined ? '' : 'ip_geolocation'] : []),
        ]),
      );
    });
    return lines.join('');
  };
  return pieces({ head: headOf(isSeller), first: await load(null), load, write });
}

function headOf(isSeller: boolean): string {
  return csvLine([
    ...CSV_COLUMNS,
    'private_label',
    ...(isSeller ? ['payer_country', 'payer_country_basis'] : []),
  ]);
}

async function* pieces(o: {
  head: string;
  first: DashboardRow[];
  load: (cursor: RowCursor) => Promise<DashboardRow[]>;
  write: (rows: readonly DashboardRow[]) => Promise<string>;
}): AsyncGenerator<string, void> {
  yield o.head;
  for (let rows = o.first; ;) {
    const text = await o.write(rows);
    if (text !== '') yield text;
    const last = rows.at(-1);
    if (!last || rows.length < PAGE) return;
    rows = await o.load(cursorAfter(last));
  }
}

/** The further legs of a receipt that are of the wallet, as the public export has them. */
function furtherRows(
  row: DashboardRow,
  { service }: RequestContext,
  { wallet, priceOf }: { wallet: string; priceOf: PriceOf },
) {
  return legRows({
    row: asPlain(row),
    legs: storedLegs.parse(row.otherLegs),
    prices: storedBeside.shape.prices.nullable().parse(row.prices),
    dayPrice: priceOf(row),
    wallet,
    network: service.env.network,
  });
}

function asPlain(row: DashboardRow): PlainRow {
  return row;
}

function toTransferRow(row: PlainRow, isSeller: boolean, local: LocalColumns) {
  return {
    ...row,
    direction: isSeller ? ('received' as const) : ('sent' as const),
    counterparty: isSeller ? row.payer : row.seller,
    local,
  };
}
