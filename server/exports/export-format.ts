import { csvLine } from '@quittance/verify/csv';
import { toJsonNumber, USD_DECIMALS } from '@quittance/verify/money';
import {
  CSV_COLUMNS,
  localCells,
  toCsvCells,
  type TransferRow,
} from '@quittance/verify/receipts/transfer-row';
import { bookkeepingFormats } from './bookkeeping-formats';
import { taxToolFormats } from './tax-tool-formats';

/** How the rows of an export become a file. */
export type ExportFormat = {
  contentType: string;
  extension: 'csv' | 'json';
  /** Whether it holds amounts in the currency of the country: then it needs the rate of each row. */
  hasLocalMoney: boolean;
  /** Opens one file. The rounding remainder of a row is carried to the next. */
  open(o: { wallet: string; country: string }): ExportFile;
};

/** The text before the rows, between two of them, and after the last. */
export type ExportFile = {
  head: string;
  between: string;
  foot: string;
  /** Rows with what stands between them; those that a tool cannot take are left out. */
  rows(rows: Iterable<TransferRow>): string;
};

/** A CSV layout of a tool: its exact header, and the cells of a row, or null for one it cannot take. */
export type CsvLayout = {
  hasLocalMoney: boolean;
  header(country: string): readonly string[];
  open(country: string): (row: TransferRow) => string[] | null;
};

function csv(layout: CsvLayout): ExportFormat {
  return {
    contentType: 'text/csv; charset=utf-8; header=present',
    extension: 'csv',
    hasLocalMoney: layout.hasLocalMoney,
    open: ({ country }) => {
      const cellsOf = layout.open(country);
      return {
        head: csvLine(layout.header(country)),
        between: '',
        foot: '',
        rows: (rows) => {
          let text = '';
          for (const row of rows) {
            const cells = cellsOf(row);
            if (cells !== null) text += csvLine(cells);
          }
          return text;
        },
      };
    },
  };
}

const BETWEEN = ',\n';

const json: ExportFormat = {
  contentType: 'application/json; charset=utf-8',
  extension: 'json',
  hasLocalMoney: true,
  open: ({ wallet, country }) => ({
    head: `${JSON.stringify({ success: true, wallet, country }).slice(0, -1)},"receipts":[\n`,
    between: BETWEEN,
    foot: '\n]}\n',
    rows: (rows) => {
      let text = '';
      for (const row of rows)
        text += `${text === '' ? '' : BETWEEN}${JSON.stringify(toJsonItem(row))}`;
      return text;
    },
  }),
};

/** All formats by the name a request gives. */
export const EXPORT_FORMATS = {
  json,
  csv: csv({ hasLocalMoney: true, header: () => CSV_COLUMNS, open: () => toCsvCells }),
  koinly: csv(taxToolFormats.koinly),
  cointracker: csv(taxToolFormats.cointracker),
  coinledger: csv(taxToolFormats.coinledger),
  rotki: csv(taxToolFormats.rotki),
  xero: csv(bookkeepingFormats.xero),
  quickbooks: csv(bookkeepingFormats.quickbooks),
} as const satisfies Record<string, ExportFormat>;

/** Type and name of the file of an export. */
export function describeFile(o: { wallet: string; format: keyof typeof EXPORT_FORMATS }): {
  contentType: string;
  fileName: string;
} {
  const { contentType, extension } = EXPORT_FORMATS[o.format];
  const layout = o.format === extension ? '' : `-${o.format}`;
  return { contentType, fileName: `receipts-${o.wallet}${layout}.${extension}` };
}

/** A row as JSON: the columns of the CSV, amounts as numbers with their base units as `_raw` strings. */
function toJsonItem(row: TransferRow) {
  const { decimals, local } = row;
  const { currency, rate, rateDate, source } = localCells(local);
  const value = local && 'minor' in local.value ? local.value : null;
  const units = local?.minorUnits ?? 0;
  return {
    receipt_id: row.receiptId,
    tx_signature: row.txSignature,
    block_time_utc: row.blockTime.toISOString(),
    direction: row.direction,
    counterparty: row.counterparty,
    token: row.token,
    mint: row.mint,
    dtif_code: row.dtifCode,
    amount: toJsonNumber(row.amountRaw, decimals),
    amount_raw: row.amountRaw.toString(),
    decimals,
    usd_amount: row.usdMicros === null ? null : toJsonNumber(row.usdMicros, USD_DECIMALS),
    usd_amount_raw: row.usdMicros === null ? null : row.usdMicros.toString(),
    local_currency: currency,
    local_amount: value === null ? null : toJsonNumber(value.minor, units),
    local_amount_raw: value === null ? null : value.minor.toString(),
    exchange_rate: value === null ? null : Number(rate),
    rate_date: value === null ? null : rateDate,
    rate_source: value === null ? source : value.rateSource,
    rate_provisional: value?.provisional ?? false,
    service_type: row.serviceType,
    transaction_type: row.transactionType,
    invoice_id: row.invoiceId,
    metadata_uri: row.metadataUri,
    valuation: row.valuation,
    amount_sent: toJsonNumber(row.amountSentRaw, decimals),
    amount_sent_raw: row.amountSentRaw.toString(),
    fee_withheld: toJsonNumber(row.feeWithheldRaw, decimals),
    fee_withheld_raw: row.feeWithheldRaw.toString(),
    payer: row.payer,
    seller: row.seller,
    slot: Number(row.slot),
    mint_status: row.mintStatus,
    asset_id: row.assetId,
  };
}
