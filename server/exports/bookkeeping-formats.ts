import { textCell } from '@quittance/verify/csv';
import { localCells, type TransferRow } from '@quittance/verify/receipts/transfer-row';
import { describeRow, statementDate } from './describe-row';

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
   * QuickBooks Online, three columns. Its dates follow the region of the company: month first in the US,
   * day first elsewhere. It refuses amounts of zero, so what rounds to none is left out.
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

/** What left the payer includes what the token withheld; the seller books what arrived. */
function signedAmount(row: TransferRow): string {
  const { amount, amountSent } = localCells(row.local);
  if (row.direction === 'received') return amount;
  return amountSent === '' ? '' : `-${amountSent}`;
}
