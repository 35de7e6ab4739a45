import { createHash } from 'node:crypto';
import { csvLine } from '../csv';
import { CSV_COLUMNS, toCsvCells, type TransferRow } from '../receipts/transfer-row';
import type { StatementRow } from './statement-rows';

/**
 * The canonical CSV of a statement: the columns of the export, oldest first. Columns of a local currency
 * are empty, and so are the state and the NFT of a receipt, which may still change.
 */
export function writeCsv(wallet: string, rows: readonly StatementRow[]): string {
  let text = csvLine(CSV_COLUMNS);
  for (const row of rows) text += csvLine(toCsvCells(toTransferRow(wallet, row)));
  return text;
}

/** Hex sha256 of the UTF-8 bytes of a CSV. */
export function csvSha256(csv: string | Uint8Array): string {
  return createHash('sha256').update(csv).digest('hex');
}

/** A row of a statement as a row of an export, seen from its wallet. */
export function toTransferRow(wallet: string, row: StatementRow): TransferRow {
  const isPayer = row.role === 'payer';
  return {
    ...row,
    ...row.labels,
    direction: isPayer ? 'sent' : 'received',
    payer: isPayer ? wallet : row.counterparty,
    seller: isPayer ? row.counterparty : wallet,
    local: null,
    mintStatus: null,
    assetId: null,
  };
}
