import { FACTS_KEY, factsDigest } from '@quittance/verify/receipts/picture-digest';
import { describeReceipt } from './describe-receipt';
import type { Face } from './draw-fonts';
import type { Mark } from './draw-marks';
import { drawHere, type DrawSheet, type Row, type Sheet } from './draw-sheet';
import { amountWords, dollars, shortAddress, shorten, utcDate } from './draw-words';
import type { ReceiptFacts } from './receipt-facts';

/**
 * The picture of a receipt: PNG, 1000 by 1000, below 100 KiB, with the digest of the facts in a tEXt chunk.
 * Drawing takes some tens of milliseconds of the thread that `draw` takes; compressing runs on the thread
 * pool. Equal facts give equal bytes. Fonts are read from node_modules; nothing is ever fetched, whatever the
 * labels hold.
 */
export function drawReceipt(facts: ReceiptFacts, draw: DrawSheet = drawHere): Promise<Uint8Array> {
  return draw(receiptSheet(facts), { [FACTS_KEY]: factsDigest(describeReceipt(facts, '')) });
}

/** What the picture says; what a receipt does not know has no line. */
function receiptSheet(facts: ReceiptFacts): Sheet {
  return {
    network: facts.network,
    what: 'receipt',
    id: facts.receiptId,
    page: `${facts.publicUrl}/r/${facts.receiptId}`,
    caption: '',
    amount: { amount: amountWords(facts.amount, facts.decimals), token: facts.token },
    headlines: [
      headline('Paid to', shortAddress(facts.seller), 'chain', 'mono'),
      headline('Date', utcDate(facts.blockTime), 'chain'),
      headline('For', facts.serviceType, 'party'),
    ],
    groups: [
      group('chain', 'Verified on chain', chainRows(facts)),
      group('party', `Stated by the ${facts.reportedBy}, not verified`, [
        row('For', facts.serviceType),
        row('Kind', facts.transactionType),
        row('Invoice', facts.invoiceId),
      ]),
      group('service', 'Added by Quittance', [
        row('In USD', usdValue(facts)),
        row('DTI code', facts.dtifCode, 'mono'),
      ]),
    ],
  };
}

function chainRows(facts: ReceiptFacts): (Row | null)[] {
  const amount = (raw: bigint) => `${amountWords(raw, facts.decimals)} ${facts.token}`;
  return [
    row('Paid by', facts.payer, 'mono'),
    row('Paid to', facts.seller, 'mono'),
    row('Time', `${utcDate(facts.blockTime)}, ${facts.blockTime.toISOString().slice(11, 19)} UTC`),
    row('Fee withheld', facts.feeWithheld > 0n ? amount(facts.feeWithheld) : null),
    row('Also paid', facts.otherLegs.length === 0 ? null : otherLegs(facts, amount)),
    row('Goods', goodsOf(facts)),
    row('Transaction', shorten(facts.txSignature), 'mono'),
  ];
}

/** What went to others, summed up where it is all in the token of the receipt. */
function otherLegs({ otherLegs: legs }: ReceiptFacts, amount: (raw: bigint) => string): string {
  const owners = new Set(legs.map(({ owner }) => owner)).size;
  const to = `${owners} other ${owners === 1 ? 'wallet' : 'wallets'}`;
  return legs.every(({ mint }) => mint === undefined)
    ? `${amount(legs.reduce((sum, leg) => sum + leg.amount, 0n))} to ${legs.length} other ${legs.length === 1 ? 'wallet' : 'wallets'}`
    : `${legs.length} more ${legs.length === 1 ? 'leg' : 'legs'}, to ${to}`;
}

function goodsOf({ beside }: ReceiptFacts): string | null {
  const count = beside?.goods.length ?? 0;
  if (count === 0) return null;
  return count === 1 ? '1 token without valuation' : `${count} tokens without valuation`;
}

const BASES = { par: 'at par', fx: 'at the exchange rate', market: 'at the market price' } as const;

function usdValue({ usdMicros, valuation, valuationSource }: ReceiptFacts): string {
  const source = valuationSource === null ? '' : ` (${valuationSource})`;
  return `${dollars(usdMicros)}, ${BASES[valuation]}${source}`;
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
