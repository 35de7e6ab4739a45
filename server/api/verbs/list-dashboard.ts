import { pageRows, type DashboardRow, type RowCursor } from '@/server/dashboard/page-rows';
import { rowValuer } from '@/server/exports/value-rows';
import { countriesOfReceipts } from '@/server/jurisdiction/read-jurisdictions';
import { toDecimal, USD_DECIMALS } from '@/server/money';
import { localCells } from '@/server/receipts/transfer-row';
import type { Session } from '@/server/wallets/sign-in';
import type { RowBody, RowCursorBody, RowsBody, RowsInput } from '../dashboard-schemas';
import { mintStatusWord } from '../schemas';
import type { RequestContext } from '../request-context';
import { filterOf } from './dashboard-filter';

/** A page of the signed-in wallet's receipts, newest first; as seller with the country of each payer. */
export async function listDashboard(
  ctx: RequestContext,
  session: Session,
  input: RowsInput,
): Promise<RowsBody> {
  const { db } = ctx.service;
  const found = await pageRows(db, {
    ...filterOf(session, input),
    cursor: input.cursor ? readCursor(input.cursor) : null,
    ...{ limit: input.limit + 1, order: 'newest' },
  });
  const rows = found.slice(0, input.limit);
  const last = found.length > rows.length ? rows.at(-1) : undefined;
  const valuer = rowValuer(ctx.service, input.country);
  await valuer.prepare(rows);
  const isSeller = input.role === 'seller';
  const countries = isSeller ? await countriesOf(ctx, session, rows) : null;
  return {
    rows: rows.map((row) => ({
      ...presentRow(row, isSeller),
      local: localOf(valuer.localOf(row, row.blockTime)),
      ...(countries ? { payer_country: countries.get(row.receiptId) ?? null } : {}),
    })),
    next: last ? presentCursor(last) : null,
  };
}

function readCursor(cursor: RowCursorBody): RowCursor {
  return {
    blockTime: new Date(cursor.block_time),
    slot: BigInt(cursor.slot),
    blockIndex: cursor.block_index,
    id: cursor.receipt_id,
  };
}

function presentCursor(row: DashboardRow): RowCursorBody {
  return {
    block_time: row.blockTime.toISOString(),
    slot: Number(row.slot),
    block_index: row.blockIndex,
    receipt_id: row.receiptId,
  };
}

/** Countries of the payers of a page, for the wallet that is the seller of all of it. */
export function countriesOf(
  ctx: RequestContext,
  session: Session,
  rows: readonly DashboardRow[],
): Promise<Map<string, string>> {
  return countriesOfReceipts(ctx.service.db, {
    seller: session.wallet,
    receiptIds: rows.map(({ receiptId }) => receiptId),
  });
}

function presentRow(row: DashboardRow, isSeller: boolean): Omit<RowBody, 'local'> {
  return {
    receipt_id: row.receiptId,
    tx_signature: row.txSignature,
    block_time: row.blockTime.toISOString(),
    counterparty: isSeller ? row.payer : row.seller,
    token: row.token,
    mint: row.mint,
    amount: toDecimal(row.amountRaw, row.decimals),
    usd_amount: toDecimal(row.usdMicros, USD_DECIMALS),
    service_type: row.serviceType,
    transaction_type: row.transactionType,
    invoice_id: row.invoiceId,
    reported_by: row.reportedBy === 'seller' ? 'seller' : 'payer',
    automatic: row.automatic,
    mint_status: mintStatusWord.parse(row.mintStatus),
    last_error: row.lastError,
    label: row.label,
  };
}

function localOf(local: Parameters<typeof localCells>[0]): RowBody['local'] {
  const { currency, amount } = localCells(local);
  const isProvisional = local !== null && 'provisional' in local.value && local.value.provisional;
  return { currency, amount: amount === '' ? null : amount, provisional: isProvisional };
}
