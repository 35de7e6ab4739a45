import { csvLine, textCell } from '@/server/csv';
import { pageRows, type DashboardRow, type RowCursor } from '@/server/dashboard/page-rows';
import { rowValuer } from '@/server/exports/value-rows';
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
 * own note and, where it is the seller, the country of the payer.
 */
export async function* writeDashboardCsv(
  ctx: RequestContext,
  session: Session,
  input: CsvInput,
): AsyncGenerator<string, void> {
  const isSeller = input.role === 'seller';
  const filter = filterOf(session, input);
  const valuer = rowValuer(ctx.service, input.country);
  yield csvLine([
    ...CSV_COLUMNS,
    'private_label',
    ...(isSeller ? ['payer_country', 'payer_country_basis'] : []),
  ]);
  let cursor: RowCursor | null = null;
  for (;;) {
    const rows: DashboardRow[] = await pageRows(ctx.service.db, {
      ...filter,
      ...{ cursor, limit: PAGE, order: 'oldest' },
    });
    await valuer.prepare(rows);
    const countries = isSeller ? await countriesOf(ctx, session, rows) : null;
    const text = rows.map((row) => {
      const country = countries?.get(row.receiptId);
      return csvLine([
        ...toCsvCells(toTransferRow(row, isSeller, valuer.localOf(row, row.blockTime))),
        textCell(row.label),
        ...(isSeller ? [country ?? '', country === undefined ? '' : 'ip_geolocation'] : []),
      ]);
    });
    if (text.length > 0) yield text.join('');
    const last = rows.at(-1);
    if (!last || rows.length < PAGE) return;
    cursor = { blockTime: last.blockTime, id: last.receiptId };
  }
}

function toTransferRow(row: DashboardRow, isSeller: boolean, local: LocalColumns) {
  return {
    ...row,
    direction: isSeller ? ('received' as const) : ('sent' as const),
    counterparty: isSeller ? row.payer : row.seller,
    local,
  };
}
