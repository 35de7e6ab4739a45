import { csvLine } from '@quittance/verify/csv';
import { CSV_COLUMNS, toCsvCells, type TransferRow } from '@quittance/verify/receipts/transfer-row';
import { bookkeepingFormats } from './bookkeeping-formats';
import { toJsonItem } from './json-item';
import { taxToolFormats } from './tax-tool-formats';

/** How the rows of an export become a file. */
export type ExportFormat = {
  contentType: string;
  extension: 'csv' | 'json';
  /** Whether it holds amounts in the currency of the country: then it needs the rate of each row. */
  hasLocalMoney: boolean;
  /** Opens one file: what rounding leaves over in one row is kept for the next. */
  open(o: { wallet: string; country: string }): ExportFile;
};

/** What stands before the rows, between two of them, and after the last. */
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
