import { toDecimal, USD_DECIMALS } from '@quittance/verify/money';
import { localCells } from '@quittance/verify/receipts/transfer-row';
import { addDays, startOf } from '@/server/clock';
import type { DashboardRow, RowCursor, RowFilter } from '@/server/dashboard/page-rows';
import { type DashboardPayment, pagePayments, paymentRows } from '@/server/dashboard/payment-rows';
import { ServiceError } from '@/server/errors';
import { publicError } from '@/server/nft/mint-rows';
import type { PlainRow } from '@/server/receipts/receipt-codec';
import { rowValuer } from '@/server/exports/value-rows';
import { countriesOfReceipts } from '@/server/jurisdiction/jurisdictions';
import { mintStatusWord } from '../receipts/schemas';
import type { RowBody, RowCursorBody, RowsBody, RowsInput } from './schemas';
import type { Call, SessionActor } from '../call';

/**
 * A page of the signed-in wallet's payments, newest first, with a row for each of its legs; as seller with the
 * country of each payer. All rows of a payment are on one page.
 */
export async function listDashboard(call: Call<RowsInput, SessionActor>): Promise<RowsBody> {
  const { actor: session, input } = call;
  const { db, env } = call.service;
  const filter = filterOf(session, input);
  const found = await pagePayments(db, {
    ...filter,
    cursor: input.cursor ? readCursor(input.cursor) : null,
    limit: input.limit + 1,
    order: 'newest',
  });
  const payments = found.slice(0, input.limit);
  const last = found.length > payments.length ? payments.at(-1) : undefined;
  const valuer = rowValuer(call.service, input.country);
  await valuer.prepare(payments.flatMap(pricedRows));
  const view = { ...filter, network: env.network, priceOf: valuer.priceOf };
  const listed = payments.map((payment) => ({ payment, rows: paymentRows(payment, view) }));
  await valuer.prepare(listed.flatMap(({ rows }) => rows));
  const isSeller = input.role === 'seller';
  const countries = isSeller ? await countriesOf(call, session, payments) : null;
  return {
    rows: listed.flatMap(({ payment, rows }) =>
      rows.map((row, at) => ({
        ...presentRow(row, { payment, isSeller, part: at + 1, parts: rows.length }),
        local: localOf(valuer.localOf(row, row.blockTime)),
        ...(countries ? { payer_country: countries.get(row.receiptId ?? '') ?? null } : {}),
      })),
    ),
    next: last ? presentCursor(last.place) : null,
  };
}

/** The frozen prices of a payment. Those of a receipt give the value of its further legs. */
export function pricedRows(
  payment: DashboardPayment,
): readonly { blockTime: Date; mint: string | null; valuation: string }[] {
  return payment.kind === 'receipt' ? [payment.receipt] : payment.rows;
}

function readCursor(cursor: RowCursorBody): RowCursor {
  return {
    blockTime: new Date(cursor.block_time),
    slot: BigInt(cursor.slot),
    blockIndex: cursor.block_index,
    id: cursor.id,
  };
}

function presentCursor({ blockTime, slot, blockIndex, id }: RowCursor): RowCursorBody {
  return {
    block_time: blockTime.toISOString(),
    slot: Number(slot),
    block_index: blockIndex,
    id,
  };
}

/** Countries of the payers of a page, of the receipts that the wallet is the seller of. */
export function countriesOf(
  call: Call,
  session: SessionActor,
  payments: readonly DashboardPayment[],
): Promise<Map<string, string>> {
  return countriesOfReceipts(call.service.db, {
    seller: session.wallet,
    receiptIds: payments.flatMap((one) => (one.kind === 'receipt' ? [one.receipt.receiptId] : [])),
  });
}

function presentRow(
  row: PlainRow,
  o: { payment: DashboardPayment; isSeller: boolean; part: number; parts: number },
): Omit<RowBody, 'local'> {
  const { payment } = o;
  return {
    statement_id: payment.kind === 'stated' ? (payment.rows[0]?.statementId ?? null) : null,
    tx_signature: row.txSignature,
    part: o.part,
    parts: o.parts,
    block_time: row.blockTime.toISOString(),
    counterparty: o.isSeller ? row.payer : row.seller,
    token: row.token,
    mint: row.mint,
    amount: toDecimal(row.amountRaw, row.decimals),
    usd_amount: row.usdMicros === null ? null : toDecimal(row.usdMicros, USD_DECIMALS),
    service_type: row.serviceType,
    transaction_type: row.transactionType,
    invoice_id: row.invoiceId,
    ...receiptFields(payment.kind === 'receipt' ? payment.receipt : null),
  };
}

type ReceiptFields = Pick<
  RowBody,
  'receipt_id' | 'reported_by' | 'automatic' | 'mint_status' | 'last_error' | 'label'
>;

function receiptFields(receipt: DashboardRow | null): ReceiptFields {
  if (!receipt)
    return {
      receipt_id: null,
      reported_by: null,
      automatic: false,
      mint_status: null,
      last_error: null,
      label: null,
    };
  return {
    receipt_id: receipt.receiptId,
    reported_by: receipt.reportedBy === 'seller' ? 'seller' : 'payer',
    automatic: receipt.automatic,
    mint_status: mintStatusWord.parse(receipt.mintStatus),
    last_error: publicError(receipt),
    label: receipt.label,
  };
}

function localOf(local: Parameters<typeof localCells>[0]): RowBody['local'] {
  const { currency, amount } = localCells(local);
  const isProvisional = local !== null && 'provisional' in local.value && local.value.provisional;
  return { currency, amount: amount === '' ? null : amount, provisional: isProvisional };
}

/** A signed-in wallet sees only its own payments, on the side that it selects. */
export function filterOf(
  session: SessionActor,
  input: {
    role: 'seller' | 'payer';
    first_day: string;
    last_day: string;
    token?: string | undefined;
    search?: string | undefined;
    status?: 'pending' | 'failed' | undefined;
  },
): RowFilter {
  const { role, first_day, last_day, token, search, status } = input;
  if (first_day > last_day)
    throw new ServiceError(
      'invalid_request',
      `Invalid request: last_day: the period is reversed: it begins on ${first_day} and ends on ${last_day}`,
      { details: { last_day: 'is before first_day' } },
    );
  return {
    wallet: session.wallet,
    role,
    search,
    status,
    ...(token === undefined ? {} : { mint: token === 'SOL' ? null : token }),
    from: startOf(first_day),
    until: startOf(addDays(last_day, 1)),
  };
}
