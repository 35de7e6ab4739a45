/** Closed contours in font units; each starts at `start` and goes on by quadratic curves or lines. */
export type Outline = { start: Point; steps: Step[] }[];
type Point = { x: number; y: number };
type Step = { control: Point | null; to: Point };
type ContourPoint = Point & { on: boolean };

type GlyphTable = { data: DataView; loca: DataView; longOffsets: boolean };

/** Reads a glyph of the `glyf` table, parts of a composite included. Empty for a blank one. */
export function readOutline(table: GlyphTable, id: number): Outline {
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
