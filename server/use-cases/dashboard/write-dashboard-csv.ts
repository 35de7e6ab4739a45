import { csvLine, textCell } from '@quittance/verify/csv';
import { type DashboardPayment, pagePayments, paymentRows } from '@/server/dashboard/payment-rows';
import type { RowCursor } from '@/server/dashboard/page-rows';
import type { PlainRow } from '@/server/receipts/receipt-codec';
import { seenRow } from '@/server/exports/unpack-receipt';
import { rowValuer } from '@/server/exports/value-rows';
import { CSV_COLUMNS, toCsvCells } from '@quittance/verify/receipts/transfer-row';
import type { CsvInput } from './schemas';
import { countriesOf, filterOf, pricedRows } from './list-dashboard';
import type { Call, SessionActor } from '../call';

/** Payments in memory at once. */
const PAGE = 500;

type Listed = { payment: DashboardPayment; rows: PlainRow[] };

/**
 * The signed-in wallet's payments as CSV, oldest first, in pieces, a line for each leg. The columns
 * are those of the public export, the wallet's own note and, for the seller, the country of the
 * payer. Throws `rates_unavailable` before the first piece while a rate of the first page is not
 * available. If a rate fails later, the file is cut off.
 */
export async function writeDashboardCsv(
  call: Call<CsvInput, SessionActor>,
): Promise<AsyncGenerator<string, void>> {
  const { actor: session, input } = call;
  const isSeller = input.role === 'seller';
  const filter = filterOf(session, input);
  const valuer = rowValuer(call.service, input.country);
  const view = { ...filter, network: call.service.env.network, priceOf: valuer.priceOf };
  const load = async (cursor: RowCursor | null): Promise<Listed[]> => {
    const payments = await pagePayments(call.service.db, {
      ...filter,
      cursor,
      limit: PAGE,
      order: 'oldest',
    });
    await valuer.prepareAll(payments.flatMap(pricedRows));
    const listed = payments.map((payment) => ({ payment, rows: paymentRows(payment, view) }));
    await valuer.prepareAll(listed.flatMap(({ rows }) => rows));
    return listed;
  };
  const write = async (listed: readonly Listed[]): Promise<string> => {
    const payments = listed.map(({ payment }) => payment);
    const countries = isSeller ? await countriesOf(call, session, payments) : null;
    const lines = listed.flatMap(({ payment, rows }) =>
      rows.map((one) => {
        const country = countries?.get(one.receiptId ?? '');
        return csvLine([
          ...toCsvCells(
            seenRow(one, { isSent: !isSeller, local: valuer.localOf(one, one.blockTime) }),
          ),
          textCell(payment.kind === 'receipt' ? payment.receipt.label : null),
          ...(isSeller ? [country ?? '', country === undefined ? '' : 'ip_geolocation'] : []),
        ]);
      }),
    );
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
  first: Listed[];
  load: (cursor: RowCursor) => Promise<Listed[]>;
  write: (listed: readonly Listed[]) => Promise<string>;
}): AsyncGenerator<string, void> {
  yield o.head;
  for (let listed = o.first; ;) {
    const text = await o.write(listed);
    if (text !== '') yield text;
    const last = listed.at(-1);
    if (!last || listed.length < PAGE) return;
    listed = await o.load(last.payment.place);
  }
}
