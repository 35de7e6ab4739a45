import { toDecimal, USD, USD_DECIMALS } from '@quittance/verify/money';
import encodeQr from 'qr';
import { type Canvas, INKS } from './draw-canvas';
import type { Point, Polygon } from './draw-raster';
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

/** The sign of who answers for a line, in a field of `size` pixels whose upper left is at (x, y). */
export function drawSign(canvas: Canvas, mark: Mark, x: number, y: number, size: number): void {
  const place = (polygons: Polygon[]) =>
    polygons.map((polygon) =>
      polygon.map((p) => ({ x: x + (p.x * size) / 24, y: y + (p.y * size) / 24 })),
    );
  if (mark === 'chain') {
    canvas.shape(place([SEAL]), INKS.verified);
    canvas.shape(place([TICK]), INKS.tick);
  } else if (mark === 'party') canvas.shape(place(PENCIL), INKS.pending);
  else canvas.shape(place(EQUALS), INKS.muted);
}

// The signs are drawn on a field of 24 by 24.
const SEAL = star(12, 11, 9.6);
const TICK = points('6.6 12.6 8.2 11 10.7 13.5 15.9 8 17.5 9.5 10.8 16.6');
const PENCIL = [
  points('3 21 4.4 15 14 5.4 18.6 10 9 19.6'),
  points('15.2 4.2 17 2.4 21.6 7 19.8 8.8'),
  // Cut out of the first, the other way round: what is left is an outline with a filled tip.
  points('6.5 16.6 7.4 17.5 15.8 10 14 8.2').reverse(),
];
const EQUALS = [
  star(12, 10, 10),
  [...star(12, 8.2, 8.2)].reverse(),
  points('7.8 8.8 16.2 8.8 16.2 10.7 7.8 10.7'),
  points('7.8 13.3 16.2 13.3 16.2 15.2 7.8 15.2'),
];

/** The lower end of a sheet, torn off along teeth about 22 pixels wide; its upper edge is straight. */
export function tornEdge(x: number, y: number, width: number, height: number): Polygon {
  const teeth = Math.round(width / 22);
  const tooth = width / teeth;
  const edge = Array.from({ length: teeth }, (_, i) => [
    { x: x + width - (i + 0.5) * tooth, y: y + 3 },
    { x: x + width - (i + 1) * tooth, y: y + height },
  ]);
  return [{ x, y }, { x: x + width, y }, { x: x + width, y: y + height }, ...edge.flat()];
}

/** Cells that the encoder leaves free on every side, at least one. */
const QUIET = 1;

/**
 * A QR code (error correction M), at most `size` pixels wide, its lower right corner at (right, bottom).
 * Its cells are whole pixels, so that edges stay sharp; the paper around it is its quiet zone. Gives its
 * left edge.
 */
export function drawQrCode(
  canvas: Canvas,
  o: { text: string; right: number; bottom: number; size: number },
): number {
  const code = encodeQr(o.text, 'raw', { ecc: 'medium', encoding: 'byte', border: QUIET });
  const cells = code.slice(QUIET, -QUIET).map((row) => row.slice(QUIET, -QUIET));
  const cell = Math.max(1, Math.floor(o.size / cells.length));
  const left = o.right - cell * cells.length;
  const top = o.bottom - cell * cells.length;
  for (const [y, row] of cells.entries())
    for (const [x, isDark] of row.entries())
      if (isDark) canvas.rectangle(left + x * cell, top + y * cell, cell, cell, INKS.text);
  return left;
}

/** A disc around the middle of the field, its edge going in and out between two radii. */
function star(middle: number, outer: number, inner: number): Polygon {
  const corners = 48;
  return Array.from({ length: corners }, (_, i) => {
    const angle = (2 * Math.PI * i) / corners;
    // Twelve scallops; rounded, as sines may differ in the last digit from machine to machine.
    const radius = (outer + inner) / 2 + ((outer - inner) / 2) * Math.cos(angle * 12);
    const round = (value: number) => Math.round(value * 1000) / 1000;
    return {
      x: round(middle + radius * Math.sin(angle)),
      y: round(middle - radius * Math.cos(angle)),
    };
  });
}

function points(text: string): Point[] {
  const numbers = text.split(' ').map(Number);
  return Array.from({ length: numbers.length / 2 }, (_, i) => ({
    x: numbers[2 * i] ?? 0,
    y: numbers[2 * i + 1] ?? 0,
  }));
}
