import { drawSign, type Mark, type Row, tornEdge } from './draw-rows';
import { type Canvas, INKS } from './draw-canvas';
import { setLine, setLineWithin, type Face } from './draw-text';

/** Measures of one size of the picture, in pixels. */
export type Format = {
  width: number;
  height: number;
  sheet: { x: number; y: number; width: number; height: number };
  /** From the sheet's edge to the text. */
  margin: number;
  headHeight: number;
  amountHeight: number;
  rowHeight: number;
  /** How far the table's lines reach. */
  tableWidth: number;
  briefRowsOnly: boolean;
  qrSize: number;
};

/** For wallets. */
export const SQUARE: Format = {
  width: 1000,
  height: 1000,
  sheet: { x: 64, y: 44, width: 872, height: 908 },
  margin: 56,
  headHeight: 86,
  amountHeight: 206,
  rowHeight: 41,
  tableWidth: 760,
  briefRowsOnly: false,
  qrSize: 176,
};

export const BAND_HEIGHT = 46;
const TEETH_HEIGHT = 14;
/** What stands across the top where nothing is real; null where it is. */
export const BANDS = {
  local: (what: string) => `TEST CHAIN – not a real ${what}`,
  devnet: (what: string) => `SOLANA DEVNET – not a real ${what}`,
  mainnet: () => null,
} as const;

/** White paper with a hairline around it; only the torn edge needs smooth edges. */
export function drawSheet(canvas: Canvas, { x, y, width, height }: Format['sheet']): void {
  canvas.rectangle(x - 1, y - 1, width + 2, height - TEETH_HEIGHT + 1, INKS.edge);
  canvas.rectangle(x, y, width, height - TEETH_HEIGHT, INKS.paper);
  const bottom = y + height - TEETH_HEIGHT;
  canvas.shape([tornEdge(x - 1, bottom, width + 2, TEETH_HEIGHT + 1)], INKS.edge);
  canvas.shape([tornEdge(x, bottom, width, TEETH_HEIGHT)], INKS.paper);
}

export function drawRule(canvas: Canvas, from: number, to: number, y: number, thickness = 1): void {
  canvas.rectangle(from, y, to - from, thickness, INKS.rule);
}

export function drawBand(canvas: Canvas, words: string, sheet: Format['sheet']): void {
  canvas.rectangle(sheet.x, sheet.y, sheet.width, BAND_HEIGHT, INKS.band);
  const line = setLine(words, 'semibold', 0.03);
  const x = sheet.x + (sheet.width - line.widthEm * 24) / 2;
  canvas.text(line, x, sheet.y + 32, 24, INKS.bandText);
}

/** Who made it on the left, what it is and its id on the right. */
export function drawHead(
  canvas: Canvas,
  o: { left: number; right: number; baseline: number; word: string; id: string },
): void {
  const { left, right, baseline } = o;
  canvas.text(setLine('Quittance', 'semibold', -0.01), left, baseline, 28, INKS.text);
  const id = setLine(o.id, 'mono');
  const idLeft = right - id.widthEm * 26;
  canvas.text(id, idLeft, baseline, 26, INKS.text);
  const word = setLine(o.word, 'semibold', 0.14);
  canvas.text(word, idLeft - 18 - word.widthEm * 19, baseline, 19, INKS.muted);
}

type Box = { left: number; top: number; width: number; height: number };

/**
 * As large as fits, with the token beside it or, where both would become small, below it. The amount is
 * shrunk as far as it takes and never cut.
 */
export function drawAmount(
  canvas: Canvas,
  words: { amount: string; token: string },
  { left, top, width, height }: Box,
): void {
  const amount = setLine(words.amount, 'semibold', -0.02);
  const token = setLineWithin(words.token, 'semibold', 5);
  const middle = top + height / 2;
  for (const tokenSize of [112, 104, 96, 88, 80]) {
    const room = width - 28 - token.widthEm * tokenSize;
    const size = Math.floor(Math.min(height * 0.92, room / amount.widthEm));
    if (size < tokenSize) continue;
    // Figures of Inter are 0.727 em high.
    const baseline = middle + size * 0.364;
    canvas.text(amount, left, baseline, size, INKS.text);
    canvas.text(token, left + amount.widthEm * size + 28, baseline, tokenSize, INKS.muted);
    return;
  }
  const size = Math.floor(Math.min(height * 0.5, width / amount.widthEm));
  const tokenSize = Math.floor(height * 0.36);
  const gap = height * 0.13;
  const baseline = middle - (tokenSize * 0.727 + gap - size * 0.727) / 2;
  canvas.text(amount, left, baseline, size, INKS.text);
  canvas.text(token, left, baseline + gap + tokenSize * 0.727, tokenSize, INKS.muted);
}

const LABEL_WIDTH = 158;
const SIGN_SIZE = 24;
const TEXT_SIZES = { regular: 21, semibold: 21, mono: 19.5 } as const satisfies Record<
  Face,
  number
>;

export function drawTable(
  canvas: Canvas,
  rows: Row[],
  o: { left: number; right: number; top: number; rowHeight: number },
): void {
  const valueLeft = o.left + LABEL_WIDTH;
  const signLeft = o.right - SIGN_SIZE;
  rows.forEach((row, i) => {
    const top = o.top + i * o.rowHeight;
    drawRule(canvas, o.left, o.right, top, i === 0 ? 2 : 1);
    const baseline = top + o.rowHeight / 2 + 7.5;
    const size = TEXT_SIZES[row.face];
    const room = (signLeft - 14 - valueLeft) / size;
    canvas.text(setLine(row.label, 'regular'), o.left, baseline, 20, INKS.muted);
    canvas.text(setLineWithin(row.value, row.face, room), valueLeft, baseline, size, INKS.text);
    drawSign(canvas, row.mark, signLeft, top + (o.rowHeight - SIGN_SIZE) / 2, SIGN_SIZE);
  });
  drawRule(canvas, o.left, o.right, o.top + rows.length * o.rowHeight);
}

export type Foot = { left: number; width: number; bottom: number };

export function drawLegend(
  canvas: Canvas,
  legend: [Mark, string][],
  page: string,
  foot: Foot,
): void {
  const size = 19;
  const address = setLineWithin(page.replace(/^https?:\/\//, ''), 'mono', foot.width / 18);
  canvas.text(
    setLine('Check it yourself', 'semibold'),
    foot.left,
    foot.bottom - 28,
    size,
    INKS.text,
  );
  canvas.text(address, foot.left, foot.bottom - 1, 18, INKS.muted);
  legend.forEach(([mark, words], i) => {
    const baseline = foot.bottom - 72 - (legend.length - 1 - i) * 33;
    drawSign(canvas, mark, foot.left, baseline - 18, 22);
    canvas.text(setLine(words, 'regular'), foot.left + 34, baseline, size, INKS.muted);
  });
}
