import { join } from 'node:path';
import { DRAWN_WITH_KEY } from './compare-images';
import type { Face } from './draw-fonts';
import type { Line } from './draw-lines';
import { drawQrCode, drawSign, type Mark, tornEdge } from './draw-marks';
import { createPaint, type Paint } from './draw-paint';
import { SIZE } from './image-form';
import { warningOf } from './draw-words';
import { drawnWith } from './drawn-with';

/** The texts in the image of a receipt or statement, top to bottom. */
export type Sheet = {
  network: 'local' | 'devnet' | 'mainnet';
  what: 'receipt' | 'statement';
  id: string;
  /** Address of its page, for the QR code. */
  page: string;
  amount: { amount: string; token: string };
  /** Stands above the amount. */
  caption: string;
  /**
   * At most three, readable at a fifth of the size. `mark` is the source of a headline that no
   * group holds.
   */
  headlines: { label: string; value: string; face: Face; mark: Mark }[];
  /** Lines in small print, by who answers for them. */
  groups: { mark: Mark; title: string; rows: Row[] }[];
};
export type Row = { label: string; value: string; face: Face };

/**
 * Makes a sheet a PNG, here or on a thread of its own. `texts` about it are kept in the file; viewers do not
 * show them.
 */
export type DrawSheet = (
  sheet: Sheet,
  texts: Readonly<Record<string, string>>,
) => Promise<Uint8Array>;

/**
 * Draws on the calling thread, with the packages of the working directory. For every command it is
 * the project's folder. A bundler moves this module, so its own address does not show where the
 * packages are.
 */
export const drawHere: DrawSheet = (sheet, texts) =>
  drawFrom(join(/* turbopackIgnore: true */ process.cwd(), 'node_modules'))(sheet, texts);

/** Draws with the packages of a node_modules folder. The file names them. Rejects where one is not installed. */
export function drawFrom(folder: string): DrawSheet {
  return async (sheet, texts) =>
    paintSheet(sheet, folder).encode({ ...texts, [DRAWN_WITH_KEY]: drawnWith(folder) });
}

const PAPER = { x: 40, y: 28, width: 920, height: 940 };
const LEFT = PAPER.x + 48;
const RIGHT = PAPER.x + PAPER.width - 48;
const BOTTOM = PAPER.y + PAPER.height - 44;
const TEETH_HEIGHT = 14;
const BAND_HEIGHT = 46;
const HEAD_HEIGHT = 66;
const AMOUNT_HEIGHT = 186;
const QR_SIZE = 160;
/** Figures of Inter are 0.727 em high. */
const FIGURE_EM = 0.727;

/** Draws a sheet, 1000 by 1000 pixels. Every text is cut to the width it has; the amount is shrunk instead. */
function paintSheet(sheet: Sheet, folder: string): Paint {
  const paint = createPaint(SIZE, SIZE, folder);
  drawPaper(paint);
  let y = drawBand(paint, warningOf(sheet.network, sheet.what));
  y = drawHead(paint, sheet, y);
  y = drawAmount(paint, sheet, y);
  y = drawHeadlines(paint, sheet.headlines, y);
  const code = drawQrCode(paint, { text: sheet.page, right: RIGHT, bottom: BOTTOM, size: QR_SIZE });
  drawPage(paint, sheet.page, code.left - 24);
  drawGroups(paint, sheet.groups, { top: y + 10, bottom: BOTTOM - 34, code });
  return paint;
}

/** White paper with a hairline around it; only the torn edge needs smooth edges. */
function drawPaper(paint: Paint): void {
  const { x, y, width, height } = PAPER;
  paint.rectangle(x - 1, y - 1, width + 2, height - TEETH_HEIGHT + 1, 'faint');
  paint.rectangle(x, y, width, height - TEETH_HEIGHT, 'paper');
  const bottom = y + height - TEETH_HEIGHT;
  paint.shape(tornEdge(x - 1, bottom, width + 2, TEETH_HEIGHT + 1), 'faint');
  paint.shape(tornEdge(x, bottom, width, TEETH_HEIGHT), 'paper');
}

function drawBand(paint: Paint, words: string | null): number {
  const { x, y, width } = PAPER;
  if (words === null) return y + 8;
  paint.rectangle(x, y, width, BAND_HEIGHT, 'failed');
  const line = paint.line(words, 'semibold', 25, { letterSpacing: 0.8 });
  paint.text(line, Math.round(x + (width - line.width) / 2), y + 32, 'paper');
  return y + BAND_HEIGHT;
}

/** The issuer on the left, the kind of document and its id on the right. */
function drawHead(paint: Paint, { what, id }: Sheet, top: number): number {
  const baseline = top + HEAD_HEIGHT - 22;
  paint.text(paint.line('Quittance', 'semibold', 28), LEFT, baseline, 'text');
  const number = paint.line(id, 'mono', 26);
  const word = paint.line(what.toUpperCase(), 'semibold', 19, { letterSpacing: 2.6 });
  const numberLeft = Math.round(RIGHT - number.width);
  paint.text(number, numberLeft, baseline, 'text');
  paint.text(word, Math.round(numberLeft - 18 - word.width), baseline, 'muted');
  drawRule(paint, top + HEAD_HEIGHT, 2);
  return top + HEAD_HEIGHT;
}

/**
 * As large as fits. The token is on the same line or, if both would become small, below it. The
 * amount is shrunk as far as needed and never cut.
 */
function drawAmount(paint: Paint, sheet: Sheet, top: number): number {
  const { amount, token } = sheet.amount;
  const [width, height] = [RIGHT - LEFT, AMOUNT_HEIGHT];
  const below = top + height;
  if (sheet.caption !== '')
    paint.text(paint.line(sheet.caption, 'regular', 24), LEFT, top + 34, 'muted');
  const free = sheet.caption === '' ? height : height - 30;
  const middle = below - free / 2;
  const amountEm = paint.line(amount, 'semibold', 100).width / 100;
  for (const tokenSize of [104, 96, 88, 80, 72]) {
    const words = paint.lineWithin(token, 'semibold', tokenSize, 5 * tokenSize);
    const room = width - 26 - words.width;
    const size = Math.floor(Math.min(free * 0.98, room / amountEm));
    if (size < tokenSize) continue;
    const line = paint.line(amount, 'semibold', size);
    const baseline = Math.round(middle + (size * FIGURE_EM) / 2);
    paint.text(line, LEFT, baseline, 'text');
    paint.text(words, Math.round(LEFT + line.width + 26), baseline, 'muted');
    return below;
  }
  const size = Math.floor(Math.min(free * 0.5, width / amountEm));
  const tokenSize = Math.floor(free * 0.34);
  const gap = free * 0.13;
  const baseline = Math.round(middle - (tokenSize * FIGURE_EM + gap - size * FIGURE_EM) / 2);
  paint.text(paint.line(amount, 'semibold', size), LEFT, baseline, 'text');
  const words = paint.lineWithin(token, 'semibold', tokenSize, width);
  paint.text(words, LEFT, Math.round(baseline + gap + tokenSize * FIGURE_EM), 'muted');
  return below;
}

const HEADLINE_SIZES = { regular: 46, semibold: 46, mono: 42 } as const satisfies Record<
  Face,
  number
>;
const HEADLINE_HEIGHT = 64;
const HEADLINE_LEFT = LEFT + 150;

/** In letters that can be read when the image is 200 pixels wide; the last may take two lines. */
function drawHeadlines(paint: Paint, headlines: Sheet['headlines'], top: number): number {
  const room = RIGHT - HEADLINE_LEFT;
  let y = top;
  headlines.forEach(({ label, value, face, mark }, i) => {
    drawRule(paint, y, i === 0 ? 2 : 1);
    const size = HEADLINE_SIZES[face];
    const isLast = i === headlines.length - 1;
    const lines: Line[] =
      isLast && face === 'regular'
        ? paint.linesWithin(value, { size, room, most: 2 })
        : [paint.lineWithin(value, face, size, room)];
    paint.text(paint.line(label, 'regular', 30), LEFT, y + 46, 'muted');
    if (mark === 'party') drawSign(paint, mark, HEADLINE_LEFT - 40, y + 20, 28);
    for (const [row, line] of lines.entries())
      paint.text(line, HEADLINE_LEFT, y + 48 + row * 54, 'text');
    y += HEADLINE_HEIGHT + (lines.length - 1) * 54;
  });
  drawRule(paint, y, 2);
  return y;
}

const LABEL_WIDTH = 138;
const ROW_SIZES = { regular: 21, semibold: 21, mono: 19.5 } as const satisfies Record<Face, number>;
const TITLE_HEIGHT = 1.2;
const GAP = 0.35;

/** The groups one below the other. Lines at the height of the QR code end before it. */
function drawGroups(
  paint: Paint,
  groups: Sheet['groups'],
  o: { top: number; bottom: number; code: { left: number; top: number } },
): void {
  const heights = groups.map(({ rows }) => TITLE_HEIGHT + rows.length + GAP);
  const total = heights.reduce((sum, height) => sum + height, 0) - GAP;
  const step = Math.min(32, (o.bottom - o.top) / total);
  const scale = Math.min(1, step / 27);
  let y = o.top;
  for (const { mark, title, rows } of groups) {
    const sign = Math.round(24 * scale);
    drawSign(paint, mark, LEFT, Math.round(y + step * 0.6 - sign / 2), sign);
    paint.text(
      paint.line(title, 'semibold', 20 * scale),
      LEFT + 34,
      baselineIn(y, step),
      COLOURS[mark],
    );
    y += step * TITLE_HEIGHT;
    for (const row of rows) {
      const right = y + step > o.code.top - 12 ? o.code.left - 24 : RIGHT;
      const size = ROW_SIZES[row.face] * scale;
      const left = LEFT + LABEL_WIDTH;
      paint.text(paint.line(row.label, 'regular', 20 * scale), LEFT, baselineIn(y, step), 'muted');
      const line = paint.lineWithin(row.value, row.face, size, right - left);
      paint.text(line, left, baselineIn(y, step), 'text');
      y += step;
    }
    y += step * GAP;
  }
}

const COLOURS = { chain: 'verified', party: 'pending', service: 'muted' } as const;

function baselineIn(top: number, height: number): number {
  return Math.round(top + height * 0.5 + 8);
}

function drawPage(paint: Paint, page: string, right: number): void {
  const words = paint.line('Check it: ', 'regular', 18);
  paint.text(words, LEFT, BOTTOM, 'muted');
  const left = Math.round(LEFT + words.width);
  const address = paint.lineWithin(page.replace(/^https?:\/\//, ''), 'mono', 18, right - left);
  paint.text(address, left, BOTTOM, 'muted');
}

function drawRule(paint: Paint, y: number, thickness: number): void {
  paint.rectangle(LEFT, y, RIGHT - LEFT, thickness, 'faint');
}
