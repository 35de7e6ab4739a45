import { localCells, type TransferRow } from '@quittance/verify/receipts/transfer-row';

/** What a row is, for the one free text column of another tool. Says when there is no local value. */
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

/** The UTC day as a bank statement of the country writes it: month first in the US, day first elsewhere. */
export function statementDate(time: Date, country: string): string {
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
