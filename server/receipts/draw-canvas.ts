import { promisify } from 'node:util';
import { crc32, deflate } from 'node:zlib';
import { type Mask, type Polygon, rasterise } from './draw-raster';
import { glyphMask, type Line } from './draw-text';

/** Colours of the picture: the product's light theme on a slightly darker ground. */
const COLOURS = {
  ground: '#ECECE5',
  paper: '#FFFFFF',
  ink: '#16181D',
  muted: '#5B6270',
  faint: '#DCDCD4',
  verified: '#0B6E4F',
  pending: '#8A5A00',
  failed: '#A3262A',
} as const;
type Colour = keyof typeof COLOURS;

export type Ink = {
  /** One colour on another: palette indexes from not covered at all (the one below) to fully covered. */
  shades: Uint8Array;
  /** The way back: by palette index, how far it is covered with this ink; 0 for colours of others. */
  levels: Uint8Array;
};

const rgb: number[] = [];

/** The inks of the picture, each on what it lies on; together they are the palette. */
export const INKS = {
  edge: ink('ground', 'faint', 8),
  paper: ink('faint', 'paper', 8),
  text: ink('paper', 'ink', 32),
  muted: ink('paper', 'muted', 24),
  rule: ink('paper', 'faint', 2),
  verified: ink('paper', 'verified', 24),
  tick: ink('verified', 'paper', 16),
  pending: ink('paper', 'pending', 24),
  band: ink('paper', 'failed', 2),
  bandText: ink('failed', 'paper', 32),
} as const;

/** Palette index of the bare ground. */
export const GROUND = INKS.edge.shades[0] ?? 0;

/** Three bytes a colour, in the order of their indexes; at most 256 colours. */
export const PALETTE = Uint8Array.from(rgb);

function ink(below: Colour, above: Colour, steps: number): Ink {
  const [a, b] = [channels(below), channels(above)];
  const levels = new Uint8Array(256);
  const shades = Uint8Array.from({ length: steps }, (_, step) => {
    const mix = (c: 0 | 1 | 2) => Math.round(a[c] + ((b[c] - a[c]) * step) / (steps - 1));
    const index = indexOf([mix(0), mix(1), mix(2)]);
    levels[index] = step;
    return index;
  });
  return { shades, levels };
}

/** The same colour has one index, whichever ink asks for it: that is how an ink meets the one below. */
function indexOf(colour: readonly [number, number, number]): number {
  for (let at = 0; at < rgb.length; at += 3)
    if (colour.every((channel, i) => rgb[at + i] === channel)) return at / 3;
  rgb.push(...colour);
  return rgb.length / 3 - 1;
}

function channels(colour: Colour): readonly [number, number, number] {
  const value = Number.parseInt(COLOURS[colour].slice(1), 16);
  return [value >> 16, (value >> 8) & 255, value & 255];
}

/** A picture under way: rows of palette indexes, each led by the filter byte that PNG wants. */
export type Canvas = {
  width: number;
  height: number;
  rows: Uint8Array;
  /** Fills whole pixels. */
  rectangle(x: number, y: number, width: number, height: number, ink: Ink): void;
  /** Fills a shape with smooth edges, on the colour that the ink is made for. */
  shape(polygons: readonly Polygon[], ink: Ink): void;
  /** Sets a line with its baseline from (x, y), `size` pixels to the em. */
  text(line: Line, x: number, y: number, size: number, ink: Ink): void;
};

/** An empty canvas. What is drawn beyond its edges is left out. */
export function createCanvas(width: number, height: number, ground: number): Canvas {
  const stride = width + 1;
  const rows = new Uint8Array(stride * height).fill(ground);
  for (let y = 0; y < height; y++) rows[y * stride] = 0;

  const blend = (mask: Mask, dx: number, dy: number, { shades, levels }: Ink): void => {
    const most = shades.length - 1;
    const { coverage } = mask;
    const left = mask.left + dx;
    const top = mask.top + dy;
    const endX = Math.min(mask.width, width - left);
    const endY = Math.min(mask.height, height - top);
    for (let y = Math.max(0, -top); y < endY; y++) {
      const to = (top + y) * stride + left + 1;
      for (let x = Math.max(0, -left); x < endX; x++) {
        const covered = coverage[y * mask.width + x] ?? 0;
        if (covered === 0) continue;
        // Glyphs may touch: what this ink already covers counts.
        const below = levels[rows[to + x] ?? 0] ?? 0;
        const level = Math.min(most, below + Math.round((covered * most) / 255));
        rows[to + x] = shades[level] ?? 0;
      }
    }
  };

  return {
    width,
    height,
    rows,
    rectangle(x, y, w, h, { shades }) {
      const index = shades.at(-1) ?? 0;
      const [from, to] = [Math.max(0, x), Math.min(width, x + w)];
      for (let row = Math.max(0, y); row < Math.min(height, y + h); row++)
        if (to > from) rows.fill(index, row * stride + from + 1, row * stride + to + 1);
    },
    shape(polygons, ink) {
      blend(rasterise(polygons), 0, 0, ink);
    },
    text(line, x, y, size, ink) {
      for (const { glyph, font, x: offset } of line.glyphs) {
        // Quarters of a pixel keep the spacing even; lines stand on whole ones.
        const quarters = Math.round((x + offset * size) * 4);
        blend(glyphMask(glyph, font, size, quarters & 3), quarters >> 2, Math.round(y), ink);
      }
    },
  };
}

const compress = promisify(deflate);
/** Room for a whole picture: with less the thread pool is called again for each part. */
const LARGEST = 128 * 1024;
const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);

/**
 * PNG (ISO/IEC 15948) of rows of palette indexes, each led by its filter byte. Compression, the most of
 * the work, runs on the thread pool. Level 6: 9 saves 6 % and takes eight times as long.
 */
export async function encodePng(o: {
  width: number;
  height: number;
  rows: Uint8Array;
  /** Three bytes a colour. */
  palette: Uint8Array;
}): Promise<Uint8Array> {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(o.width, 0);
  header.writeUInt32BE(o.height, 4);
  // Eight bits a pixel, colour type 3 (palette), the only compression, filtering, no interlacing.
  header.set([8, 3, 0, 0, 0], 8);
  return Buffer.concat([
    SIGNATURE,
    chunk('IHDR', header),
    chunk('PLTE', o.palette),
    chunk('IDAT', await compress(o.rows, { level: 6, chunkSize: LARGEST })),
    chunk('IEND', new Uint8Array(0)),
  ]);
}

/** Length, type, data, and the checksum of type and data. */
function chunk(type: string, data: Uint8Array): Buffer {
  const whole = Buffer.alloc(data.length + 12);
  whole.writeUInt32BE(data.length, 0);
  whole.write(type, 4, 'latin1');
  whole.set(data, 8);
  whole.writeUInt32BE(crc32(whole.subarray(4, -4)), data.length + 8);
  return whole;
}
