import { textCell } from '@quittance/verify/csv';
import { localCells, type TransferRow } from '@quittance/verify/receipts/transfer-row';

/**
 * Bank statement files of bookkeeping tools, in the currency of the country; money out is negative. A
 * row on a day that no source covers has no amount, and its description says why: it is for a person.
 */
export const bookkeepingFormats = {
  /** Xero's template; in the US it has other words, and dates begin with the month. */
  xero: {
    hasLocalMoney: true,
    header: (country: string) => [
      ...['*Date', '*Amount', 'Payee', 'Description', 'Reference'],
      country === 'US' ? 'Check Number' : 'Cheque Number',
    ],
    open: (country: string) => (row: TransferRow) => [
      statementDate(row.blockTime, country),
      signedAmount(row),
      row.counterparty,
      textCell(describeRow(row)),
      row.txSignature,
      '',
    ],
  },
  /**
   * QuickBooks Online, three columns. Its dates follow the region of the company: month first in
   * the US, day first elsewhere. It refuses amounts of zero, so amounts that round to zero are left
   * out.
   */
  quickbooks: {
    hasLocalMoney: true,
    header: () => ['Date', 'Description', 'Amount'],
    open: (country: string) => (row: TransferRow) => {
      const amount = signedAmount(row);
      if (/^-?[0.]+$/.test(amount)) return null;
      const text = `${describeRow(row)}, ${row.counterparty}`;
      return [statementDate(row.blockTime, country), textCell(text), amount];
    },
  },
};

/** The payer's amount includes what the token withheld. The seller books what arrived. */
function signedAmount(row: TransferRow): string {
  const { amount, amountSent } = localCells(row.local);
  if (row.direction === 'received') return amount;
  return amountSent === '' ? '' : `-${amountSent}`;
}

/** Description of a row, for the free text column of a tool. It says if there is no local value. */
export function describeRow(row: TransferRow): string {
  const parts = [
    row.serviceType,
    row.transactionType,
    row.invoiceId === null ? null : `invoice ${row.invoiceId}`,
    row.receiptId === null ? null : `receipt ${row.receiptId}`,
    row.local && 'error' in row.local.value
      ? `${row.local.currency} value missing, ${localCells(row.local).source}`
      : null,
  ];
  return parts.filter((part) => part !== null).join(', ');
}

/**
 * The UTC day in the form of a bank statement of the country: month first in the US, day first
 * elsewhere.
 */
function statementDate(time: Date, country: string): string {
  return country === 'US' ? usDate(time) : dayFirst(time);
}

function dayFirst(time: Date): string {
  const [year = '', month = '', day = ''] = time.toISOString().slice(0, 10).split('-');
  return `${day}/${month}/${year}`;
}

/** `MM/DD/YYYY` of the UTC day. */
export function usDate(time: Date): string {
  const [year = '', month = '', day = ''] = time.toISOString().slice(0, 10).split('-');
  return `${month}/${day}/${year}`;
}

/** `HH:MM:SS`, UTC. */
export function utcClock(time: Date): string {
  return time.toISOString().slice(11, 19);
}
