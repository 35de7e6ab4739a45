import { USD_DECIMALS, toDecimal } from '@quittance/verify/money';
import { createCanvas, encodePng, GROUND, INKS, PALETTE } from '@/server/receipts/draw-canvas';
import {
  dollars,
  drawQrCode,
  groupDigits,
  type Row,
  shorten,
  utcDate,
} from '@/server/receipts/draw-rows';
import {
  BAND_HEIGHT,
  BANDS,
  drawAmount,
  drawBand,
  drawHead,
  drawLegend,
  drawRule,
  drawSheet,
  drawTable,
  SQUARE,
} from '@/server/receipts/draw-sheet';
import { setLine } from '@/server/receipts/draw-text';
import { startOf } from '@/server/clock';
import type { StatementFacts } from './describe-statement';
import type { TokenTotal } from '@quittance/verify/statements/statement-rows';

/** Tokens that get a line of their own; the metadata lists all. */
const MOST_TOKENS = 5;

/**
 * The picture of a statement: PNG, 1000 by 1000, by the drawing code of receipts, with the totals first.
 * Equal facts give equal bytes; nothing is ever fetched.
 */
export async function drawStatement(facts: StatementFacts): Promise<Uint8Array> {
  const { sheet, margin, headHeight, amountHeight, qrSize } = SQUARE;
  const canvas = createCanvas(SQUARE.width, SQUARE.height, GROUND);
  drawSheet(canvas, sheet);
  const left = sheet.x + margin;
  const right = sheet.x + sheet.width - margin;
  const bottom = sheet.y + sheet.height - 46;
  const band = BANDS[facts.network]('statement');
  if (band !== null) drawBand(canvas, band, sheet);
  let y = sheet.y + (band === null ? 10 : BAND_HEIGHT);
  drawHead(canvas, {
    left,
    right,
    baseline: y + headHeight - 30,
    word: 'STATEMENT',
    id: facts.statementId,
  });
  y += headHeight;
  drawRule(canvas, left, right, y, 2);
  const { totalMicros } = facts.totals;
  canvas.text(setLine('Paid and received', 'regular'), left, y + 40, 21, INKS.muted);
  drawAmount(
    canvas,
    { amount: groupDigits(toDecimal(totalMicros, USD_DECIMALS)), token: 'USD' },
    { left, top: y + 36, width: right - left, height: amountHeight - 40 },
  );
  y += amountHeight;
  const rows = statementRows(facts);
  const room = bottom - qrSize - 14 - y;
  const rowHeight = Math.min(SQUARE.rowHeight, Math.floor(room / rows.length));
  drawTable(canvas, rows, { left, right, top: y, rowHeight });
  const page = `${facts.publicUrl}/s/${facts.statementId}`;
  const codeLeft = drawQrCode(canvas, { text: page, right, bottom, size: qrSize });
  drawLegend(canvas, [['service', 'Worked out by Quittance']], page, {
    left,
    width: codeLeft - 28 - left,
    bottom,
  });
  return encodePng({ ...canvas, palette: PALETTE });
}

/** The lines of the table, top to bottom. */
function statementRows(facts: StatementFacts): Row[] {
  const { totals, firstDay, lastDay } = facts;
  const day = (text: string) => utcDate(startOf(text));
  const shown = totals.tokens.slice(0, MOST_TOKENS);
  const more = totals.tokens.length - shown.length;
  return [
    row('Wallet', facts.wallet, 'mono'),
    row('Days', firstDay === lastDay ? day(firstDay) : `${day(firstDay)} to ${day(lastDay)}, UTC`),
    row('Payments', groupDigits(totals.txCount.toString())),
    row('Paid', dollars(totals.asPayerMicros)),
    row('Received', dollars(totals.asSellerMicros)),
    ...shown.map((one) => row(one.token, inToken(one))),
    ...(more > 0 ? [row('Others', `${more} more tokens: see the metadata`)] : []),
    row('CSV hash', shorten(facts.csvSha256), 'mono'),
    row('Merkle root', shorten(facts.merkleRoot), 'mono'),
  ];
}

function inToken({ asPayer, asSeller, decimals }: TokenTotal): string {
  const words = (amount: bigint) => groupDigits(toDecimal(amount, decimals));
  return `paid ${words(asPayer)}, received ${words(asSeller)}`;
}

function row(label: string, value: string, face: Row['face'] = 'regular'): Row {
  return { label, value, face, mark: 'service', brief: false };
}
