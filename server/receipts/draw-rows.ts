import { USD, USD_DECIMALS, toDecimal } from '@quittance/verify/money';
import type { Face } from './draw-text';
import type { ReceiptFacts } from './receipt-facts';

/** Who answers for a line: the chain, one of the parties, or this service. */
export type Mark = 'chain' | 'party' | 'service';
/** `brief` rows are the ones that the small card has room for. */
export type Row = { label: string; value: string; face: Face; mark: Mark; brief: boolean };

const MONTHS = 'Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec'.split(' ');
const BASES = { par: 'at par', fx: 'at the exchange rate', market: 'at the market price' } as const;

/** The lines of the picture's table, top to bottom; what a receipt does not know has no line. */
export function receiptRows(facts: ReceiptFacts): Row[] {
  const amount = (raw: bigint) => `${groupDigits(toDecimal(raw, facts.decimals))} ${facts.token}`;
  const others = facts.otherLegs;
  const kind = facts.transactionType === null ? '' : ` (${facts.transactionType})`;
  return [
    row('Paid by', facts.payer, 'chain', { face: 'mono', brief: true }),
    row('Paid to', facts.seller, 'chain', { face: 'mono', brief: true }),
    row('Date', utcTime(facts.blockTime), 'chain', { brief: true }),
    row('For', `${facts.serviceType}${kind}`, 'party', { brief: true }),
    row('Invoice', facts.invoiceId, 'party'),
    row('Fee withheld', facts.feeWithheld > 0n ? amount(facts.feeWithheld) : null, 'chain'),
    row('Also paid', others.length === 0 ? null : otherLegs(facts, amount), 'chain'),
    row('Goods', goodsOf(facts), 'chain'),
    row('In USD', usdValue(facts), 'service'),
    row('DTI', facts.dtifCode, 'service', { face: 'mono' }),
    row('Transaction', shorten(facts.txSignature), 'chain', { face: 'mono' }),
  ].filter((one) => one !== null);
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

/** Thousands separated by commas; the fraction is left as it is. */
export function groupDigits(decimal: string): string {
  const [whole = '', fraction] = decimal.split('.');
  const grouped = whole.replace(/\B(?=(\d{3})+$)/g, ',');
  return fraction === undefined ? grouped : `${grouped}.${fraction}`;
}

function row(
  label: string,
  value: string | null,
  mark: Mark,
  more: { face?: Face; brief?: boolean } = {},
): Row | null {
  if (value === null) return null;
  return { label, value, mark, face: more.face ?? 'regular', brief: more.brief ?? false };
}

/** `28 Nov 2026`, of the UTC day. */
export function utcDate(at: Date): string {
  return `${at.getUTCDate()} ${MONTHS[at.getUTCMonth()] ?? ''} ${at.getUTCFullYear()}`;
}

/** `28 Nov 2026, 14:05:09 UTC`, the same wherever it is drawn. */
function utcTime(at: Date): string {
  return `${utcDate(at)}, ${at.toISOString().slice(11, 19)} UTC`;
}

/** A dollar amount has at least two digits after the point, and as many as it needs. */
export function dollars(usdMicros: bigint): string {
  const [whole = '0', fraction = ''] = groupDigits(toDecimal(usdMicros, USD_DECIMALS)).split('.');
  const cents = usdMicros % USD === 0n ? '00' : fraction.padEnd(2, '0');
  return `$${whole}.${cents}`;
}

function usdValue({ usdMicros, valuation, valuationSource }: ReceiptFacts): string {
  const source = valuationSource === null ? '' : ` (${valuationSource})`;
  return `${dollars(usdMicros)}, ${BASES[valuation]}${source}`;
}

/** 88 characters of base58 do not fit a line: both ends are what people compare. */
export function shorten(signature: string): string {
  return signature.length <= 44 ? signature : `${signature.slice(0, 20)}…${signature.slice(-20)}`;
}
