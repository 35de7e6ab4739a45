import { inflateSync } from 'node:zlib';
import { readKerning } from './draw-font-kerning';

export type Glyph = {
  id: number;
  /** In font units, as are the outline's coordinates (y up). */
  advance: number;
  outline: Outline;
};

export type Font = {
  unitsPerEm: number;
  has(codePoint: number): boolean;
  /** Null when the font has no glyph for the code point. */
  glyph(codePoint: number): Glyph | null;
  /** Font units to add between two neighbours, mostly negative or zero. */
  kern(left: Glyph, right: Glyph): number;
};

/**
 * Reads a WOFF 1.0 file with TrueType outlines (https://www.w3.org/TR/WOFF/ and the OpenType
 * specification): the tables that drawing left-to-right text needs. Glyphs are read when first asked for
 * and kept. Throws when the file is of another kind; the files come from packages with pinned versions.
 */
export function readFont(file: Uint8Array): Font {
  const tables = unpack(file);
  const table = (tag: string): DataView => {
    const found = tables.get(tag);
    if (!found) throw new Error(`the font has no ${tag} table`);
    return found;
  };
  const head = table('head');
  const unitsPerEm = head.getUint16(18);
  const longOffsets = head.getInt16(50) === 1;
  const advances = table('hmtx');
  const advanceCount = table('hhea').getUint16(34);
  const glyf = { data: table('glyf'), loca: table('loca'), longOffsets };
  const ids = readCharacterMap(table('cmap'));
  const gpos = tables.get('GPOS');
  const kerning = gpos ? readKerning(gpos) : () => 0;
  const glyphs = new Map<number, Glyph>();

  return {
    unitsPerEm,
    has: (codePoint) => ids.has(codePoint),
    glyph(codePoint) {
      const id = ids.get(codePoint);
      if (id === undefined) return null;
      const known = glyphs.get(id);
      if (known) return known;
      const advance = advances.getUint16(4 * Math.min(id, advanceCount - 1));
      const glyph = { id, advance, outline: readOutline(glyf, id) };
      glyphs.set(id, glyph);
      return glyph;
    },
    kern: (left, right) => kerning(left.id, right.id),
  };
}

function unpack(file: Uint8Array): Map<string, DataView> {
  const view = new DataView(file.buffer, file.byteOffset, file.byteLength);
  if (view.getUint32(0) !== 0x774f4646) throw new Error('the font is not a WOFF 1.0 file');
  const tables = new Map<string, DataView>();
  for (let i = 0; i < view.getUint16(12); i++) {
    const at = 44 + 20 * i;
    const tag = String.fromCharCode(...file.subarray(at, at + 4));
    const start = view.getUint32(at + 4);
    const packed = file.subarray(start, start + view.getUint32(at + 8));
    const bytes = packed.length < view.getUint32(at + 12) ? inflateSync(packed) : packed;
    tables.set(tag, new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength));
  }
  return tables;
}

/** Code point to glyph id, from the Unicode subtable of format 12 or else 4. */
function readCharacterMap(cmap: DataView): Map<number, number> {
  const byFormat = new Map<number, number>();
  for (let i = 0; i < cmap.getUint16(2); i++) {
    const offset = cmap.getUint32(8 + 8 * i);
    byFormat.set(cmap.getUint16(offset), offset);
  }
  const ids = new Map<number, number>();
  const groups = byFormat.get(12);
  const segments = byFormat.get(4);
  if (groups !== undefined) readGroups(cmap, groups, ids);
  else if (segments !== undefined) readSegments(cmap, segments, ids);
  else throw new Error('the font has no character map of format 4 or 12');
  return ids;
}

function readGroups(cmap: DataView, at: number, ids: Map<number, number>): void {
  for (let i = 0; i < cmap.getUint32(at + 12); i++) {
    const group = at + 16 + 12 * i;
    const first = cmap.getUint32(group);
    for (let code = first; code <= cmap.getUint32(group + 4); code++)
      ids.set(code, cmap.getUint32(group + 8) + code - first);
  }
}

function readSegments(cmap: DataView, at: number, ids: Map<number, number>): void {
  const size = cmap.getUint16(at + 6);
  for (let i = 0; i < size; i += 2) {
    const end = cmap.getUint16(at + 14 + i);
    const start = cmap.getUint16(at + 16 + size + i);
    const delta = cmap.getUint16(at + 16 + 2 * size + i);
    const rangeAt = at + 16 + 3 * size + i;
    const range = cmap.getUint16(rangeAt);
    for (let code = start; code <= end && code < 0xffff; code++) {
      const raw = range === 0 ? code : cmap.getUint16(rangeAt + range + 2 * (code - start));
      const id = raw === 0 ? 0 : (raw + delta) & 0xffff;
      if (id !== 0) ids.set(code, id);
    }
  }
}

/** Closed contours in font units; each starts at `start` and goes on by quadratic curves or lines. */
export type Outline = { start: Point; steps: Step[] }[];
type Point = { x: number; y: number };
type Step = { control: Point | null; to: Point };
type ContourPoint = Point & { on: boolean };

type GlyphTable = { data: DataView; loca: DataView; longOffsets: boolean };

/** Reads a glyph of the `glyf` table, parts of a composite included. Empty for a blank one. */
function readOutline(table: GlyphTable, id: number): Outline {
  return contours(table, id, 0).flatMap(toSteps);
}

function contours(table: GlyphTable, id: number, depth: number): ContourPoint[][] {
  const { data, loca, longOffsets } = table;
  const offset = (n: number) => (longOffsets ? loca.getUint32(4 * n) : 2 * loca.getUint16(2 * n));
  const at = offset(id);
  if (offset(id + 1) === at) return [];
  const count = data.getInt16(at);
  if (count >= 0) return readSimple(data, at, count);
  // The format has no legal depth; four is more than any of the fonts uses.
  return depth > 4 ? [] : readComposite(table, at + 10, depth);
}

function readSimple(data: DataView, at: number, count: number): ContourPoint[][] {
  const ends = Array.from({ length: count }, (_, i) => data.getUint16(at + 10 + 2 * i));
  const total = (ends.at(-1) ?? -1) + 1;
  let cursor = at + 10 + 2 * count;
  cursor += 2 + data.getUint16(cursor);
  const flags: number[] = [];
  while (flags.length < total) {
    const flag = data.getUint8(cursor++);
    const repeats = flag & 8 ? data.getUint8(cursor++) : 0;
    for (let i = 0; i <= repeats; i++) flags.push(flag);
  }
  const coordinates = (short: number, same: number): number[] => {
    let value = 0;
    return flags.map((flag) => {
      if (flag & short) value += flag & same ? data.getUint8(cursor++) : -data.getUint8(cursor++);
      else if (!(flag & same)) {
        value += data.getInt16(cursor);
        cursor += 2;
      }
      return value;
    });
  };
  const xs = coordinates(2, 16);
  const ys = coordinates(4, 32);
  const points = flags.map((flag, i) => ({ x: xs[i] ?? 0, y: ys[i] ?? 0, on: (flag & 1) === 1 }));
  return ends.map((end, i) => points.slice((ends[i - 1] ?? -1) + 1, end + 1));
}

function readComposite(table: GlyphTable, start: number, depth: number): ContourPoint[][] {
  const { data } = table;
  const fixed = (at: number) => data.getInt16(at) / 16384;
  const all: ContourPoint[][] = [];
  let cursor = start;
  let flags: number;
  do {
    flags = data.getUint16(cursor);
    const part = data.getUint16(cursor + 2);
    const words = (flags & 1) !== 0;
    const dx = words ? data.getInt16(cursor + 4) : data.getInt8(cursor + 4);
    const dy = words ? data.getInt16(cursor + 6) : data.getInt8(cursor + 5);
    cursor += words ? 8 : 6;
    let [a, b, c, d] = [1, 0, 0, 1];
    if (flags & 0x08) {
      a = d = fixed(cursor);
      cursor += 2;
    } else if (flags & 0x40) {
      [a, d] = [fixed(cursor), fixed(cursor + 2)];
      cursor += 4;
    } else if (flags & 0x80) {
      [a, b, c, d] = [fixed(cursor), fixed(cursor + 2), fixed(cursor + 4), fixed(cursor + 6)];
      cursor += 8;
    }
    for (const contour of contours(table, part, depth + 1))
      all.push(
        contour.map(({ x, y, on }) => ({ x: a * x + c * y + dx, y: b * x + d * y + dy, on })),
      );
  } while (flags & 0x20);
  return all;
}

/** Two control points in a row imply an on-curve point half way between them. */
function toSteps(points: ContourPoint[]): Outline {
  const first = points[0];
  const last = points.at(-1);
  if (!first || !last) return [];
  const start = first.on ? first : last.on ? last : middle(first, last);
  const steps: Step[] = [];
  let control: Point | null = null;
  for (const point of [...points.slice(first.on ? 1 : 0), { ...start, on: true }]) {
    if (point.on) {
      steps.push({ control, to: point });
      control = null;
    } else {
      if (control) steps.push({ control, to: middle(control, point) });
      control = point;
    }
  }
  return [{ start, steps }];
}

function middle(a: Point, b: Point): Point {
  return { x: (a.x + b.x) / 2, y: (a.y + b.y) / 2 };
}
