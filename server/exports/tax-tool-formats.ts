import { textCell } from '@/server/csv';
import { toDecimal } from '@/server/money';
import { localCells, type TransferRow } from '@/server/receipts/transfer-row';
import { describeRow, usDate, utcClock } from './describe-row';

/**
 * Import files of tax tools, headers as their own templates have them (2026): Koinly universal,
 * CoinTracker, CoinLedger universal, rotki generic events. No tax label is set, as the service cannot
 * know one. A transfer fee that the token withheld is the payer's; the seller never had it.
 */
export const taxToolFormats = {
  koinly: {
    header: () => [
      ...['Date', 'Sent Amount', 'Sent Currency', 'Received Amount', 'Received Currency'],
      ...['Fee Amount', 'Fee Currency', 'Net Worth Amount', 'Net Worth Currency', 'Label'],
      ...['Description', 'TxHash'],
    ],
    cells: (row: TransferRow) => {
      const { sent, received, fee } = sides(row);
      const local = localCells(row.local);
      const worth = local.amount === '' ? ['', ''] : [local.amount, local.currency];
      return [
        `${row.blockTime.toISOString().slice(0, 10)} ${utcClock(row.blockTime)}`,
        ...[...sent, ...received, ...fee, ...worth],
        ...['', textCell(describeRow(row)), row.txSignature],
      ];
    },
  },
  cointracker: {
    header: () => [
      ...['Date', 'Received Quantity', 'Received Currency', 'Sent Quantity', 'Sent Currency'],
      ...['Fee Amount', 'Fee Currency', 'Tag'],
    ],
    cells: (row: TransferRow) => {
      const { sent, received, fee } = sides(row);
      return [usDateTime(row.blockTime), ...received, ...sent, ...fee, ''];
    },
  },
  coinledger: {
    header: () => [
      ...['Date (UTC)', 'Platform (Optional)', 'Asset Sent', 'Amount Sent', 'Asset Received'],
      ...['Amount Received', 'Fee Currency (Optional)', 'Fee Amount (Optional)', 'Type'],
      ...['Description (Optional)', 'TxHash (Optional)'],
    ],
    cells: (row: TransferRow) => {
      const { sent, received, fee } = sides(row);
      return [
        ...[usDateTime(row.blockTime), 'Solana'],
        ...[sent, received, fee].flatMap(([amount = '', currency = '']) => [currency, amount]),
        row.direction === 'sent' ? 'Withdrawal' : 'Deposit',
        ...[textCell(describeRow(row)), row.txSignature],
      ];
    },
  },
  rotki: {
    header: () => [
      ...['Type', 'Location', 'Currency', 'Amount', 'Fee', 'Fee Currency', 'Description'],
      'Timestamp',
    ],
    cells: (row: TransferRow) => [
      row.direction === 'sent' ? 'Spend' : 'Income',
      'external',
      textCell(row.token),
      toDecimal(row.amountRaw, row.decimals),
      ...sides(row).fee,
      textCell(`${describeRow(row)}, transaction ${row.txSignature}`),
      row.blockTime.getTime().toString(),
    ],
  },
};

/** Amount and currency of what went out, what came in, and the fee; empty where there is none. */
function sides(row: TransferRow): { sent: string[]; received: string[]; fee: string[] } {
  const none = ['', ''];
  const pair = (raw: bigint) => [toDecimal(raw, row.decimals), textCell(row.token)];
  if (row.direction === 'received') return { sent: none, received: pair(row.amountRaw), fee: none };
  const fee = row.feeWithheldRaw === 0n ? none : pair(row.feeWithheldRaw);
  return { sent: pair(row.amountRaw), received: none, fee };
}

function usDateTime(time: Date): string {
  return `${usDate(time)} ${utcClock(time)}`;
}
