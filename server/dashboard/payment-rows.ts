import type { Network } from '@/server/env';
import { legRows, type PlainRow } from '@/server/exports/leg-rows';
import type { PriceOf } from '@/server/exports/unpack-receipt';
import { storedBeside, storedLegs } from '@quittance/verify/receipts/receipt-beside';
import type { DashboardPayment } from './page-payments';
import type { DashboardRow } from './page-rows';
import type { RowFilter } from './row-filter';
import type { StatedRow } from './stated-payments';

type View = Pick<RowFilter, 'wallet' | 'role' | 'mint'> & { network: Network; priceOf: PriceOf };

/**
 * The rows of a payment that are of a wallet: one for each leg that it paid or received, of the token that is
 * asked for. The leg that the receipt is about stands first.
 */
export function paymentRows(payment: DashboardPayment, view: View): PlainRow[] {
  const rows =
    payment.kind === 'receipt'
      ? receiptRows(payment.receipt, view)
      : payment.rows.map((row) => statedRow(row, view));
  return rows.filter(({ mint }) => view.mint === undefined || mint === view.mint);
}

function receiptRows(receipt: DashboardRow, { wallet, network, priceOf }: View): PlainRow[] {
  const row: PlainRow = receipt;
  return [
    ...(wallet === row.payer || wallet === row.seller ? [row] : []),
    ...furtherRows(receipt, { wallet, network, priceOf }),
  ];
}

/** The further legs of a receipt that are of a wallet, as the public export has them. */
export function furtherRows(
  receipt: DashboardRow,
  { wallet, network, priceOf }: Pick<View, 'wallet' | 'network' | 'priceOf'>,
): PlainRow[] {
  return legRows<PlainRow>({
    row: receipt,
    legs: storedLegs.parse(receipt.otherLegs),
    prices: storedBeside.shape.prices.nullable().parse(receipt.prices),
    dayPrice: priceOf(receipt),
    ...{ wallet, network },
  });
}

function statedRow(
  { statementId: _, position: __, counterparty, ...row }: StatedRow,
  { wallet, role }: View,
): PlainRow {
  const isPayer = role === 'payer';
  return {
    ...row,
    ...{ payer: isPayer ? wallet : counterparty, seller: isPayer ? counterparty : wallet },
    ...{ receiptId: null, serviceType: null, transactionType: null, invoiceId: null },
    ...{ metadataUri: null, mintStatus: null, assetId: null },
  };
}
