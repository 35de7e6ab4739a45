import { textCell } from '@/server/csv';
import { localCells, type TransferRow } from '@/server/receipts/transfer-row';
import { describeRow, usDate } from './describe-row';

/**
 * Bank statement files of bookkeeping tools, in the currency of the country; money out is negative. A
 * row without a rate has no amount, and its description says why: such a line is for a person.
 */
export const bookkeepingFormats = {
  /** Xero's template; in the US it has other words, and dates begin with the month. */
  xero: {
    header: (country: string) => [
      ...['*Date', '*Amount', 'Payee', 'Description', 'Reference'],
      country === 'US' ? 'Check Number' : 'Cheque Number',
    ],
    cells: (row: TransferRow, country: string) => [
      country === 'US' ? usDate(row.blockTime) : dayFirst(row.blockTime),
      signedAmount(row),
      row.counterparty,
      textCell(describeRow(row)),
      row.txSignature,
      '',
    ],
  },
  /** QuickBooks Online, three columns. It refuses amounts of zero, so what rounds to none is left out. */
  quickbooks: {
    header: () => ['Date', 'Description', 'Amount'],
    cells: (row: TransferRow) => {
      const amount = signedAmount(row);
      if (/^-?[0.]+$/.test(amount)) return null;
      const text = `${describeRow(row)}, ${row.counterparty}`;
      return [usDate(row.blockTime), textCell(text), amount];
    },
  },
};

function signedAmount(row: TransferRow): string {
  const { amount } = localCells(row.local);
  return amount === '' || row.direction === 'received' ? amount : `-${amount}`;
}

function dayFirst(time: Date): string {
  const [year = '', month = '', day = ''] = time.toISOString().slice(0, 10).split('-');
  return `${day}/${month}/${year}`;
}
