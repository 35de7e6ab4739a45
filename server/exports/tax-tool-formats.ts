import { textCell } from '@quittance/verify/csv';
import { rescale, toDecimal } from '@quittance/verify/money';
import { localCells, type TransferRow } from '@quittance/verify/receipts/transfer-row';
import { describeRow, usDate, utcClock } from './bookkeeping-formats';

/** Decimals that CoinTracker keeps of a quantity; SOL has nine. */
const COINTRACKER_DECIMALS = 8;

/**
 * Import files of tax tools, headers as their own templates have them (2026): Koinly universal,
 * CoinTracker, CoinLedger universal, rotki generic events. No tax label is set, because the service cannot
 * know one. A transfer fee that the token withheld is the payer's; the seller never had it.
 */
export const taxToolFormats = {
  koinly: {
    hasLocalMoney: true,
    header: () => [
      ...['Date', 'Sent Amount', 'Sent Currency', 'Received Amount', 'Received Currency'],
      ...['Fee Amount', 'Fee Currency', 'Net Worth Amount', 'Net Worth Currency', 'Label'],
      ...['Description', 'TxHash'],
    ],
    open: () => (row: TransferRow) => {
      const { sent, received, fee } = cellsOf(row, textCell(row.token));
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
    hasLocalMoney: false,
    header: () => [
      ...['Date', 'Received Quantity', 'Received Currency', 'Sent Quantity', 'Sent Currency'],
      ...['Fee Amount', 'Fee Currency', 'Tag'],
    ],
    /** Amounts that round to nothing are left out: the rest is in the next row of the token. */
    open: () => {
      const round = carryRounding(COINTRACKER_DECIMALS);
      return (row: TransferRow) => {
        const { decimals, token } = row;
        const { sent, received, fee } = sidesOf(row);
        const cells = (name: string, raw: bigint): string[] => {
          if (raw === 0n) return ['', ''];
          const rounded = round({ column: `${name} ${row.mint ?? ''}`, raw, decimals });
          return rounded.raw === 0n
            ? ['', '']
            : [toDecimal(rounded.raw, rounded.decimals), textCell(token)];
        };
        const moved = [...cells('received', received), ...cells('sent', sent)];
        if (moved.every((cell) => cell === '')) return null;
        return [usDateTime(row.blockTime), ...moved, ...cells('fee', fee), ''];
      };
    },
  },
  coinledger: {
    hasLocalMoney: false,
    header: () => [
      ...['Date (UTC)', 'Platform (Optional)', 'Asset Sent', 'Amount Sent', 'Asset Received'],
      ...['Amount Received', 'Fee Currency (Optional)', 'Fee Amount (Optional)', 'Type'],
      ...['Description (Optional)', 'TxHash (Optional)'],
    ],
    open: () => (row: TransferRow) => {
      const { sent, received, fee } = cellsOf(row, textCell(row.token));
      return [
        ...[usDateTime(row.blockTime), 'Solana'],
        ...[sent, received, fee].flatMap(([amount = '', currency = '']) => [currency, amount]),
        row.direction === 'sent' ? 'Withdrawal' : 'Deposit',
        ...[textCell(describeRow(row)), row.txSignature],
      ];
    },
  },
  rotki: {
    hasLocalMoney: false,
    header: () => [
      ...['Type', 'Location', 'Currency', 'Amount', 'Fee', 'Fee Currency', 'Description'],
      'Timestamp',
    ],
    open: () => (row: TransferRow) => [
      row.direction === 'sent' ? 'Spend' : 'Income',
      'external',
      rotkiAsset(row.mint),
      toDecimal(row.amountRaw, row.decimals),
      ...cellsOf(row, rotkiAsset(row.mint)).fee,
      textCell(`${describeRow(row)}, transaction ${row.txSignature}`),
      row.blockTime.getTime().toString(),
    ],
  },
};

/**
 * rotki's identifier of an asset: a bare symbol such as USDC is the token on Ethereum there. The forms are
 * in rotki's source: rotkehlchen/constants/resolver.py for tokens, constants/assets.py for SOL.
 */
function rotkiAsset(mint: string | null): string {
  return mint === null ? 'SOL' : `solana/token:${mint}`;
}

/** Outflow, inflow and the fee, in base units; 0 where there is none. */
function sidesOf(row: TransferRow): { sent: bigint; received: bigint; fee: bigint } {
  return row.direction === 'received'
    ? { sent: 0n, received: row.amountRaw, fee: 0n }
    : { sent: row.amountRaw, received: 0n, fee: row.feeWithheldRaw };
}

/** Each side as amount and currency; empty where there is none. */
function cellsOf(row: TransferRow, currency: string) {
  const { sent, received, fee } = sidesOf(row);
  const pair = (raw: bigint) => (raw === 0n ? ['', ''] : [toDecimal(raw, row.decimals), currency]);
  return { sent: pair(sent), received: pair(received), fee: pair(fee) };
}

function usDateTime(time: Date): string {
  return `${usDate(time)} ${utcClock(time)}`;
}

/**
 * Cuts amounts to fewer decimals, one file at a time, so that sums stay right. The rounding
 * difference of an amount moves to the next amount of the same column and token. A column's sum is
 * then off by at most half of the last decimal, however many rows it has.
 */
function carryRounding(toDecimals: number) {
  const rests = new Map<string, bigint>();
  /** `column` names one column and token; the answer has at most `toDecimals` decimals. */
  return (o: { column: string; raw: bigint; decimals: number }): Rounded => {
    const { column, raw, decimals } = o;
    if (decimals <= toDecimals) return { raw, decimals };
    const exact = raw + (rests.get(column) ?? 0n);
    const rounded = rescale(exact, decimals, toDecimals);
    rests.set(column, exact - rescale(rounded, toDecimals, decimals));
    return { raw: rounded, decimals: toDecimals };
  };
}

type Rounded = { raw: bigint; decimals: number };
