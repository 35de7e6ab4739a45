import { toDecimal } from '@quittance/verify/money';
import { type Canvas, createCanvas, encodePng, GROUND, INKS, PALETTE } from './draw-canvas';
import { drawQrCode, drawSign, groupDigits, type Mark, receiptRows } from './draw-rows';
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
  type Foot,
  type Format,
  SQUARE,
} from './draw-sheet';
import { setLine } from './draw-text';
import type { ReceiptFacts } from './receipt-facts';

/**
 * The picture of a receipt for wallets: PNG, 1000 by 1000, well under 100 KiB. Drawing takes a few
 * milliseconds of the calling thread, compressing runs on the thread pool. Equal facts give equal bytes.
 * Fonts are read from node_modules; nothing is ever fetched, whatever the labels hold.
 */
export function drawReceipt(facts: ReceiptFacts): Promise<Uint8Array> {
  return draw(facts, SQUARE);
}

/** The picture of a receipt for links that unfold: PNG, 1200 by 630, by the same drawing code. */
export function drawReceiptCard(facts: ReceiptFacts): Promise<Uint8Array> {
  return draw(facts, CARD);
}

async function draw(facts: ReceiptFacts, format: Format): Promise<Uint8Array> {
  const { width, height, rows } = layOutReceipt(facts, format);
  return encodePng({ width, height, rows, palette: PALETTE });
}

/** For links. */
const CARD: Format = {
  width: 1200,
  height: 630,
  sheet: { x: 36, y: 28, width: 1128, height: 576 },
  margin: 52,
  headHeight: 76,
  amountHeight: 172,
  rowHeight: 42,
  tableWidth: 800,
  briefRowsOnly: true,
  qrSize: 176,
};

/** Draws a receipt. Every text is cut to the room it has; the amount is shrunk instead. */
function layOutReceipt(facts: ReceiptFacts, format: Format): Canvas {
  const { sheet, margin } = format;
  const canvas = createCanvas(format.width, format.height, GROUND);
  drawSheet(canvas, sheet);
  const left = sheet.x + margin;
  const right = sheet.x + sheet.width - margin;
  const bottom = sheet.y + sheet.height - 46;
  const band = BANDS[facts.network]('receipt');
  if (band !== null) drawBand(canvas, band, sheet);
  let y = sheet.y + (band === null ? 10 : BAND_HEIGHT);
  drawHead(canvas, {
    left,
    right,
    baseline: y + format.headHeight - 30,
    word: 'RECEIPT',
    id: facts.receiptId,
  });
  y += format.headHeight;
  drawRule(canvas, left, right, y, 2);
  drawAmount(
    canvas,
    { amount: groupDigits(toDecimal(facts.amount, facts.decimals)), token: facts.token },
    { left, top: y, width: right - left, height: format.amountHeight },
  );
  y += format.amountHeight;

  const rows = receiptRows(facts).filter((row) => row.brief || !format.briefRowsOnly);
  const tableRight = Math.min(right, left + format.tableWidth);
  const room = (format.briefRowsOnly ? bottom - 44 : bottom - format.qrSize - 14) - y;
  const rowHeight = Math.min(format.rowHeight, Math.floor(room / rows.length));
  drawTable(canvas, rows, { left, right: tableRight, top: y, rowHeight });

  const page = `${facts.publicUrl}/r/${facts.receiptId}`;
  const codeLeft = drawQrCode(canvas, { text: page, right, bottom, size: format.qrSize });
  const legend = MARKS.filter((mark) => rows.some((row) => row.mark === mark)).map(
    (mark): [Mark, string] => [mark, LEGEND[mark](facts.reportedBy)],
  );
  const foot = { left, width: codeLeft - 28 - left, bottom };
  if (format.briefRowsOnly) drawLegendLine(canvas, legend, foot);
  else drawLegend(canvas, legend, page, foot);
  return canvas;
}

const MARKS = ['chain', 'party', 'service'] as const satisfies Mark[];
const LEGEND: Record<Mark, (reportedBy: 'payer' | 'seller') => string> = {
  chain: () => 'Verified on chain',
  party: (reportedBy) => `Told by the ${reportedBy}, not verified`,
  service: () => 'Worked out by Quittance',
};

function drawLegendLine(canvas: Canvas, legend: [Mark, string][], foot: Foot): void {
  let x = foot.left;
  for (const [mark, words] of legend) {
    const line = setLine(words, 'regular');
    drawSign(canvas, mark, x, foot.bottom - 21, 22);
    canvas.text(line, x + 32, foot.bottom - 3, 19, INKS.muted);
    x += 32 + line.widthEm * 19 + 36;
  }
}
