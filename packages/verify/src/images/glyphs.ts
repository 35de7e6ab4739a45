import tableFile from './glyph-table.json';

/**
 * Font files of the image's text by script, in the order in which they are asked: the first that has
 * every character of a cluster draws it. Each is the path in node_modules without weight and ending. Of
 * Chinese the numbered parts are taken, because only together they hold everyday text.
 */
const INTER = [
  'latin',
  'latin-ext',
  'vietnamese',
  'cyrillic',
  'cyrillic-ext',
  'greek',
  'greek-ext',
];
const CHINESE = Array.from({ length: 120 }, (_, i) => file('noto-sans-sc', `${i}`));
const JAPANESE = file('noto-sans-jp', 'japanese');
const KOREAN = file('noto-sans-kr', 'korean');
const EMOJI = file('noto-color-emoji', 'emoji');
export const TEXT_FILES: readonly string[] = [
  ...INTER.map((script) => file('inter', script)),
  file('noto-sans-arabic', 'arabic'),
  file('noto-sans-hebrew', 'hebrew'),
  file('noto-sans-devanagari', 'devanagari'),
  file('noto-sans-thai', 'thai'),
  EMOJI,
  KOREAN,
  ...CHINESE,
  JAPANESE,
  // Behind those that the first images were drawn with, so that no character of theirs has another font now.
  file('noto-sans-sinhala', 'sinhala'),
  file('noto-sans-malayalam', 'malayalam'),
];
const LATIN = file('inter', 'latin');

function file(name: string, part: string): string {
  return `@fontsource/${name}/files/${name}-${part}`;
}

/**
 * Characters that one font must draw whole: a character with the marks on it, a flag, an emoji with its tone, and
 * whatever ZWJ (U+200D) joins. Marks here are also ZWNJ and the letters of a flag's tag.
 */
const MARK = '[\\p{M}\\u200c\\u{1f3fb}-\\u{1f3ff}\\u{e0020}-\\u{e007f}]';
const CLUSTER = new RegExp(
  `\\p{RI}{2}|\\P{M}${MARK}*(?:\\u200d(?:\\P{M}${MARK}*)?)*|\\p{M}+`,
  'gu',
);
/** Asks for the emoji of the character before it. Fonts have no glyph for it. */
const AS_EMOJI = '\ufe0f';
const PLAIN = /^[\x20-\x7e]*$/;
const KANA = /[\u3040-\u30ff]/u;

/** Text as it can be drawn, and the font files that draw it, in order. */
export type Glyphs = { text: string; files: readonly string[] };

/**
 * Finds the fonts of a line from the line alone, so that its image does not depend on what was drawn
 * before. A cluster that no font has whole becomes its code points, as `[U+13000]`.
 */
export function findGlyphs(line: string): Glyphs {
  if (PLAIN.test(line)) return { text: line, files: [LATIN] };
  const used = new Set<string>([LATIN]);
  const order = orderFor(line);
  const text = clusters(line)
    .map((cluster) => {
      const found = fileOf(cluster, order);
      if (found === null) return codePoints(cluster);
      used.add(found);
      return cluster;
    })
    .join('');
  return { text, files: order.filter((one) => used.has(one)) };
}

/** The first clusters of a text, at most three, that the image of a receipt has no glyph for. */
export function withoutGlyph(text: string): string[] {
  if (PLAIN.test(text)) return [];
  const order = orderFor(text);
  return clusters(text)
    .filter((cluster) => fileOf(cluster, order) === null)
    .slice(0, 3);
}

/** The parts of a text that must stay together, in order. */
export function clusters(text: string): string[] {
  if (PLAIN.test(text)) return [...text];
  return text.normalize('NFC').match(CLUSTER) ?? [];
}

/** `[U+13000]`, in ASCII. */
export function codePoints(cluster: string): string {
  const names = Array.from(cluster, (one) => (one.codePointAt(0) ?? 0).toString(16).toUpperCase());
  return `[${names.map((name) => `U+${name.padStart(4, '0')}`).join(' ')}]`;
}

/** Characters shared by Chinese and Japanese take the Japanese form where the line has kana. */
function orderFor(line: string): readonly string[] {
  if (!KANA.test(line)) return TEXT_FILES;
  return (japaneseFirst ??= [
    ...TEXT_FILES.filter((one) => one !== JAPANESE && !CHINESE.includes(one)),
    JAPANESE,
    ...CHINESE,
  ]);
}
let japaneseFirst: readonly string[] | undefined;

function fileOf(cluster: string, order: readonly string[]): string | null {
  const table = glyphTable();
  const isEmoji = cluster.includes(AS_EMOJI);
  const points = Array.from(cluster.replaceAll(AS_EMOJI, ''), (one) => one.codePointAt(0) ?? 0);
  const asked = isEmoji ? [EMOJI] : order;
  return asked.find((one) => points.every((point) => table.get(one)?.(point) === true)) ?? null;
}

type Has = (codePoint: number) => boolean;
let tableRead: Map<string, Has> | undefined;

function glyphTable(): Map<string, Has> {
  return (tableRead ??= readTable());
}

/**
 * Code points by font file: ranges `first-last` in base 36. A test compares the table with the fonts, as
 * the lists that come with the packages name characters that the files do not have.
 */
function readTable(): Map<string, Has> {
  return new Map(Object.entries(tableFile).map(([name, ranges]) => [name, inRanges(ranges)]));
}

/** Each range is two neighbours in a sorted list, found by halving it. */
function inRanges(text: string): Has {
  const bounds = text.split(' ').flatMap((range) => {
    const [first = '', last = first] = range.split('-');
    return [Number.parseInt(first, 36), Number.parseInt(last, 36)];
  });
  return (codePoint) => {
    let low = 0;
    let high = bounds.length / 2 - 1;
    while (low <= high) {
      const middle = (low + high) >> 1;
      if (codePoint < (bounds[2 * middle] ?? 0)) high = middle - 1;
      else if (codePoint > (bounds[2 * middle + 1] ?? 0)) low = middle + 1;
      else return true;
    }
    return false;
  };
}
