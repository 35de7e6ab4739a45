import type { Network } from '../network';
import type { ReceiptLeg } from '../receipts/receipt-beside';
import type { Face } from './draw-fonts';
import type { Mark } from './draw-marks';
import type { Row, Sheet } from './draw-sheet';
import { amountWords, shortAddress, shorten, utcDate } from './draw-words';
import { sheetWords } from './sheet-words';

/**
 * The inputs of the image of a receipt. Amounts are base units of the token, `usdMicros` is
 * micro-USD.
 */
export type DrawnReceipt = {
  /** By which template its metadata is written. */
  template: number;
  receiptId: string;
  network: Network;
  pageUrl: string;
  txSignature: string;
  blockTime: Date;
  payer: string;
  seller: string;
  token: string;
  decimals: number;
  dtifCode: string | null;
  amount: bigint;
  feeWithheld: bigint;
  otherLegs: readonly ReceiptLeg[];
  goodsCount: number;
  usdMicros: bigint;
  valuation: 'par' | 'fx' | 'market';
  valuationSource: string | null;
  serviceType: string;
  transactionType: string | null;
  invoiceId: string | null;
  reportedBy: 'payer' | 'seller';
};

/** The texts in the image of a receipt. A missing fact has no line. */
export function receiptSheet(receipt: DrawnReceipt): Sheet {
  const words = sheetWords(receipt.template);
  return {
    network: receipt.network,
    what: 'receipt',
    id: receipt.receiptId,
    page: receipt.pageUrl,
    caption: '',
    amount: { amount: amountWords(receipt.amount, receipt.decimals), token: receipt.token },
    headlines: [
      headline('Paid to', shortAddress(receipt.seller), 'chain', 'mono'),
      headline('Date', utcDate(receipt.blockTime), 'chain'),
      headline('For', receipt.serviceType, 'party'),
    ],
    groups: [
      group('chain', 'Verified on chain', chainRows(receipt)),
      group('party', words.stated(receipt.reportedBy), [
        row('For', receipt.serviceType),
        row('Kind', receipt.transactionType),
        row('Invoice', receipt.invoiceId),
      ]),
      group('service', words.service, [
        row('In USD', words.value(receipt)),
        row('DTI code', receipt.dtifCode, 'mono'),
      ]),
    ],
  };
}

function chainRows(receipt: DrawnReceipt): (Row | null)[] {
  const amount = (raw: bigint) => `${amountWords(raw, receipt.decimals)} ${receipt.token}`;
  const { blockTime, feeWithheld, otherLegs, goodsCount } = receipt;
  return [
    row('Paid by', receipt.payer, 'mono'),
    row('Paid to', receipt.seller, 'mono'),
    row('Time', `${utcDate(blockTime)}, ${blockTime.toISOString().slice(11, 19)} UTC`),
    row('Fee withheld', feeWithheld > 0n ? amount(feeWithheld) : null),
    row('Also paid', otherLegs.length === 0 ? null : sumOf(otherLegs, amount)),
    row('Goods', goodsOf(goodsCount)),
    row('Transaction', shorten(receipt.txSignature), 'mono'),
  ];
}

/** Amounts that went to others, added up if all are in the token of the receipt. */
function sumOf(legs: readonly ReceiptLeg[], amount: (raw: bigint) => string): string {
  const owners = new Set(legs.map(({ owner }) => owner)).size;
  const to = `${owners} other ${owners === 1 ? 'wallet' : 'wallets'}`;
  return legs.every(({ mint }) => mint === undefined)
    ? `${amount(legs.reduce((sum, leg) => sum + leg.amount, 0n))} to ${legs.length} other ${legs.length === 1 ? 'wallet' : 'wallets'}`
    : `${legs.length} more ${legs.length === 1 ? 'leg' : 'legs'}, to ${to}`;
}

function goodsOf(count: number): string | null {
  if (count === 0) return null;
  return count === 1 ? '1 token without valuation' : `${count} tokens without valuation`;
}

function headline(label: string, value: string, mark: Mark, face: Face = 'regular') {
  return { label, value, mark, face };
}

function group(mark: Mark, title: string, rows: (Row | null)[]): Sheet['groups'][number] {
  return { mark, title, rows: rows.filter((one) => one !== null) };
}

function row(label: string, value: string | null, face: Face = 'regular'): Row | null {
  return value === null ? null : { label, value, face };
}
