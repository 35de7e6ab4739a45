import { csvLine, parseCsv, textCell } from '../csv';
import { itemIdOf } from '../receipts/check-storage';
import {
  attempt,
  notJudged,
  outcomeOf,
  type CheckLine,
  type Outcome,
} from '../receipts/check-line';
import { MOST_CHARACTERS } from '../receipts/clean-label';
import { CSV_COLUMNS, toCsvCells } from '../receipts/transfer-row';
import type { StatementMetadata } from './parse-statement-metadata';
import { NO_LABELS, type StatementItem } from './statement-rows';
import { csvSha256, toTransferRow } from './write-csv';

const LABELS = ['service_type', 'transaction_type', 'invoice_id'] as const;
/** Columns that no row has: they come from the receipt of a payment. They are empty without one. */
const OF_RECEIPTS = [...LABELS, 'metadata_uri'] as const;

/** A CSV held against the hash in the NFT and, cell by cell, against the rows where they are shown. */
export function checkCsv(o: {
  csv: Uint8Array;
  metadata: StatementMetadata | null;
  /** Null where they were not shown, `unreadable` where they are of another form. */
  rows: readonly StatementItem[] | 'unreadable' | null;
}): CheckLine[] {
  const { csv, metadata, rows } = o;
  const hash = csvSha256(csv);
  const title = 'The CSV has the hash in the NFT';
  if (!metadata) return [notJudged('csv_hash', title, 'the metadata cannot be read')];
  const outcome = outcomeOf(hash === metadata.csvSha256);
  const hashed = { id: 'csv_hash', title, outcome, detail: `sha256 ${hash}` };
  if (rows === null) return [hashed];
  const same = { id: 'csv_rows', title: 'The CSV lists the same payments as the rows' };
  const judged =
    rows === 'unreadable'
      ? failed('the rows do not have the form of a statement')
      : compare(csv, { rows, wallet: metadata.wallet });
  return [hashed, { ...same, ...judged }];
}

type Judged = { outcome: Outcome; detail: string };

function failed(detail: string): Judged {
  return { outcome: 'failed', detail };
}

function compare(csv: Uint8Array, o: { rows: readonly StatementItem[]; wallet: string }): Judged {
  const text = attempt(() =>
    new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(csv),
  );
  if (text === null) return failed('it is not UTF-8 text');
  const [head = [], ...records] = parseCsv(text);
  if (head.join() !== CSV_COLUMNS.join()) return failed('it has other columns');
  if ([head, ...records].map(csvLine).join('') !== text)
    return failed('it is not in the form of a statement CSV');
  if (records.length !== o.rows.length)
    return failed(`it has ${records.length} records for ${o.rows.length} rows`);
  for (const [at, row] of o.rows.entries()) {
    const record = records[at] ?? [];
    if (record.some((cell) => textCell(cell) !== cell))
      return failed(`a cell of record ${at + 1} is a formula for spreadsheets`);
    const column = differing(record, row, o.wallet);
    if (column !== null) return failed(`${column} of record ${at + 1} differs`);
    const label =
      row.receipt_id === null || isHidden(record)
        ? undefined
        : OF_RECEIPTS.find((name) => !isLabel(name, cellOf(record, name)));
    if (label !== undefined)
      return failed(`${label} of record ${at + 1} is not one that a receipt can have`);
  }
  const changing = firstChanging(records, o.rows);
  if (changing >= 0)
    return failed(`the labels of record ${changing + 1} are not those of its receipt before`);
  return { outcome: 'held', detail: `${records.length} records` };
}

/** Labels that the operator hid are left out, all three; the address of the file stays. */
function isHidden(record: readonly string[]): boolean {
  const uri = cellOf(record, 'metadata_uri');
  const isEmpty = LABELS.every((name) => cellOf(record, name) === '');
  return isEmpty && uri !== '' && isLabel('metadata_uri', uri);
}

/** Most characters of each label that the service accepts. */
const MOST_OF_CELL = {
  service_type: MOST_CHARACTERS.serviceType,
  transaction_type: MOST_CHARACTERS.transactionType,
  invoice_id: MOST_CHARACTERS.invoiceId,
} as const;

/** Whether a cell can be a value of a receipt. Only the receipt shows whether it is. */
function isLabel(column: (typeof OF_RECEIPTS)[number], cell: string): boolean {
  if (column === 'metadata_uri') return cell === '' || ITEM.test(itemIdOf(cell) ?? '');
  if (column === 'service_type' && cell === '') return false;
  // A cell that a spreadsheet would run has a quote before it, which is no part of the label.
  const length = [...cell.replaceAll(";'", ';').replace(/^'/, '')].length;
  return length <= MOST_OF_CELL[column] && !CONTROLS.test(cell);
}

/** An id of permanent storage: a hash of 32 bytes in base58 or base64url. */
const ITEM = /^[\w-]{32,44}$/;
/** Characters that no label has: controls, and those that turn text around. */
const CONTROLS = /[\p{Cc}\p{Bidi_Control}]/u;

/** Two legs of one receipt have its labels both: the first record with others than one before, or -1. */
function firstChanging(
  records: readonly (readonly string[])[],
  rows: readonly StatementItem[],
): number {
  const firsts = new Map<string, readonly string[] | undefined>();
  return rows.findIndex(({ receipt_id: id }, at) => {
    if (id === null) return false;
    const first = firsts.get(id);
    if (!first) firsts.set(id, records[at]);
    const isOther = (name: (typeof OF_RECEIPTS)[number]) =>
      cellOf(first, name) !== cellOf(records[at], name);
    return first !== undefined && OF_RECEIPTS.some(isOther);
  });
}

function cellOf(record: readonly string[] | undefined, name: (typeof CSV_COLUMNS)[number]): string {
  return record?.[CSV_COLUMNS.indexOf(name)] ?? '';
}

/** The first column in which a record differs from its row; null for none. */
function differing(record: readonly string[], row: StatementItem, wallet: string): string | null {
  const said = toCsvCells(toTransferRow(wallet, { ...rowOf(row), labels: NO_LABELS }));
  const skipped: string[] = [
    ...(row.receipt_id === null ? [] : OF_RECEIPTS),
    // Rows from before legs were listed do not have the sent amount.
    ...(row.amount_sent_raw === undefined ? ['amount_sent', 'fee_withheld'] : []),
  ];
  const wrong = CSV_COLUMNS.findIndex(
    (column, n) => !skipped.includes(column) && record[n] !== said[n],
  );
  return CSV_COLUMNS[wrong] ?? null;
}

function rowOf(item: StatementItem) {
  return {
    txSignature: item.tx_signature,
    leg: item.leg ?? null,
    slot: BigInt(item.slot),
    blockTime: new Date(item.block_time),
    role: item.role,
    counterparty: item.counterparty,
    mint: item.mint,
    token: item.token,
    dtifCode: item.dtif_code,
    decimals: item.decimals,
    amountRaw: BigInt(item.amount_raw),
    amountSentRaw: BigInt(item.amount_sent_raw ?? item.amount_raw),
    feeWithheldRaw: BigInt(item.fee_withheld_raw ?? 0),
    usdMicros: BigInt(item.usd_amount_raw),
    valuation: item.valuation,
    receiptId: item.receipt_id,
  };
}
