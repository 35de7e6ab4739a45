import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readFont, type Font, type Glyph } from './draw-font';
import { rasterise, type Mask, type Point } from './draw-raster';

/** Typefaces of the picture: text in two weights, and one where every character is equally wide. */
export type Face = 'regular' | 'semibold' | 'mono';

/** The scripts that the fonts' packages split a face into; the first file that has a character wins. */
const SCRIPTS = [
  'latin',
  'latin-ext',
  'cyrillic',
  'cyrillic-ext',
  'greek',
  'greek-ext',
  'vietnamese',
];
const FILES = {
  regular: (script: string) => `@fontsource/inter/files/inter-${script}-400-normal.woff`,
  semibold: (script: string) => `@fontsource/inter/files/inter-${script}-600-normal.woff`,
  mono: (script: string) =>
    script === 'greek-ext'
      ? null
      : `@fontsource/jetbrains-mono/files/jetbrains-mono-${script}-400-normal.woff`,
} as const satisfies Record<Face, (script: string) => string | null>;

/** Stands for a character that no font has (emoji, Chinese, ...). Every face has it. */
const SUBSTITUTE = '?';
const ELLIPSIS = '…';

const fonts = new Map<string, Font>();
const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' });

type Placed = { glyph: Glyph; font: Font; x: number };
/** A line of text set in units of one em: where each glyph stands, and how wide the whole is. */
export type Line = { glyphs: Placed[]; widthEm: number };

/**
 * Sets one line. Marks that the font cannot join to their letter are left out; a character that it does
 * not have at all becomes a question mark. Fonts are read from node_modules at first use and kept.
 */
export function setLine(text: string, face: Face, letterSpacingEm = 0): Line {
  const glyphs: Placed[] = [];
  let x = 0;
  let before: Placed | null = null;
  for (const character of characters(text)) {
    const { glyph, font } = findGlyph(character, face);
    if (before && before.font === font) x += font.kern(before.glyph, glyph) / font.unitsPerEm;
    before = { glyph, font, x };
    glyphs.push(before);
    x += glyph.advance / font.unitsPerEm + letterSpacingEm;
  }
  return { glyphs, widthEm: Math.max(0, x - letterSpacingEm) };
}

/** As much of the text as fits into `widthEm`, with an ellipsis where it was cut. */
export function setLineWithin(text: string, face: Face, widthEm: number): Line {
  // Nothing wider is drawn, and no glyph is narrower than a tenth of an em.
  const all = characters(text.slice(0, 4000)).slice(0, Math.ceil(widthEm * 10));
  const whole = setLine(all.join(''), face);
  if (whole.widthEm <= widthEm && all.join('') === text) return whole;
  for (let kept = all.length - 1; kept > 0; kept--) {
    const line = setLine(all.slice(0, kept).join('').trimEnd() + ELLIPSIS, face);
    if (line.widthEm <= widthEm) return line;
  }
  return setLine(ELLIPSIS, face);
}

/** Masks of small text are kept: most of a receipt is the same characters in the same sizes. */
const masks = new WeakMap<Glyph, Map<number, Mask>>();
const LARGEST_KEPT_SIZE = 32;

/** Coverage of a glyph whose origin is at (quarter / 4, 0), `size` pixels to the em. */
export function glyphMask(glyph: Glyph, font: Font, size: number, quarter: number): Mask {
  const draw = () => rasterise(flatten(glyph, size / font.unitsPerEm, quarter / 4));
  if (size > LARGEST_KEPT_SIZE) return draw();
  let known = masks.get(glyph);
  if (!known) masks.set(glyph, (known = new Map()));
  // Sizes are multiples of a half, so that no two share a key.
  const key = size * 8 + quarter;
  let mask = known.get(key);
  if (!mask) known.set(key, (mask = draw()));
  return mask;
}

/** Curves become straight pieces that stay within a twentieth of a pixel of them. */
function flatten(glyph: Glyph, scale: number, dx: number): Point[][] {
  const place = ({ x, y }: Point): Point => ({ x: dx + x * scale, y: -y * scale });
  return glyph.outline.map(({ start, steps }) => {
    let from = place(start);
    const points = [from];
    for (const step of steps) {
      const to = place(step.to);
      if (step.control) points.push(...curve(from, place(step.control), to));
      points.push(to);
      from = to;
    }
    return points;
  });
}

/** Inner points of a quadratic curve: the error of n equal pieces is its bend / (8 n²). */
function curve(from: Point, control: Point, to: Point): Point[] {
  const bend = Math.hypot(from.x - 2 * control.x + to.x, from.y - 2 * control.y + to.y);
  const pieces = Math.ceil(Math.sqrt((bend * 2) / (8 * 0.05)));
  return Array.from({ length: Math.max(0, pieces - 1) }, (_, i) => {
    const t = (i + 1) / pieces;
    const [a, b, c] = [(1 - t) ** 2, 2 * t * (1 - t), t ** 2];
    return { x: a * from.x + b * control.x + c * to.x, y: a * from.y + b * control.y + c * to.y };
  });
}

function characters(text: string): string[] {
  // Plain ASCII is one character to a code unit, and is most of what is drawn.
  if (/^[\x20-\x7e]*$/.test(text)) return [...text];
  return [...graphemes.segment(text.normalize('NFC'))].map(({ segment }) => segment);
}

function findGlyph(character: string, face: Face): { glyph: Glyph; font: Font } {
  const codePoint = character.codePointAt(0) ?? 0;
  for (const script of SCRIPTS) {
    const font = loadFont(face, script);
    const glyph = font?.glyph(codePoint);
    if (font && glyph) return { glyph, font };
  }
  if (character === SUBSTITUTE) throw new Error(`the ${face} font has no question mark`);
  return findGlyph(SUBSTITUTE, face);
}

function loadFont(face: Face, script: string): Font | null {
  const file = FILES[face](script);
  if (file === null) return null;
  const known = fonts.get(file);
  if (known) return known;
  const font = readFont(readFontFile(file));
  fonts.set(file, font);
  return font;
}

function readFontFile(file: string): Uint8Array {
  // From the working directory, which is the project's folder for every command: a bundler moves this
  // module, so its own address says nothing of where the packages are.
  const path = join(/* turbopackIgnore: true */ process.cwd(), 'node_modules', file);
  try {
    return readFileSync(path);
  } catch (error) {
    throw new Error(
      `the font ${path} cannot be read: start from the project's folder, after npm ci`,
      { cause: error },
    );
  }
}
