import { createCanvas, Path2D } from '@napi-rs/canvas';
import { encodePng } from './encode-png';
import type { Face } from './draw-fonts';
import { type Line, linesWithin, lineWithin, type Pen, setLine, type Spacing } from './draw-lines';

/** Colours of the image: the product's light theme on a slightly darker ground. */
const COLOURS = {
  ground: '#ECECE5',
  paper: '#FFFFFF',
  text: '#16181D',
  muted: '#5B6270',
  faint: '#DCDCD4',
  verified: '#0B6E4F',
  pending: '#8A5A00',
  failed: '#A3262A',
} as const;
export type Colour = keyof typeof COLOURS;

/**
 * Pairs of colours, one drawn over the other: the edges of letters and shapes are blends of the
 * two.
 */
const BLENDS: readonly [below: Colour, above: Colour, steps: number][] = [
  ['ground', 'faint', 6],
  ['faint', 'paper', 6],
  ['ground', 'paper', 6],
  ['paper', 'text', 24],
  ['paper', 'muted', 24],
  ['paper', 'verified', 16],
  ['paper', 'pending', 16],
  ['failed', 'paper', 16],
];
const PALETTE = [
  ...new Set(
    BLENDS.flatMap(([below, above, steps]) =>
      Array.from({ length: steps }, (_, i) => mix(below, above, i / (steps - 1))),
    ),
  ),
];

/** The tools to draw an image. */
export type Paint = {
  width: number;
  height: number;
  rectangle(x: number, y: number, width: number, height: number, colour: Colour): void;
  /** Fills shapes with smooth edges; an area inside of two is a hole. `d` is the path of an SVG. */
  shape(d: string, colour: Colour, place?: { x: number; y: number; scale: number }): void;
  /** Puts the baseline of a line at y and its left end at x. */
  text(line: Line, x: number, y: number, colour: Colour): void;
  line(text: string, face: Face, size: number, spacing?: Spacing): Line;
  /** As much of the text as fits into `width`, with an ellipsis where it was cut. */
  lineWithin(text: string, face: Face, size: number, width: number): Line;
  /** The same on up to `most` lines, broken between words where that is possible. */
  linesWithin(text: string, o: { size: number; room: number; most: number }): Line[];
  /** The image as PNG, with texts about it that viewers do not show. */
  encode(texts: Readonly<Record<string, string>>): Promise<Uint8Array>;
};

/**
 * An empty image, with the fonts of a node_modules folder. Drawing beyond its edges is left out.
 */
export function createPaint(width: number, height: number, folder: string): Paint {
  const canvas = createCanvas(width, height);
  const context = canvas.getContext('2d');
  const pen: Pen = { context, folder };
  // Neither settings of the machine nor its language affect the image.
  context.lang = 'en';
  context.textRendering = 'geometricPrecision';
  context.fillStyle = COLOURS.ground;
  context.fillRect(0, 0, width, height);
  return {
    width,
    height,
    rectangle(x, y, w, h, colour) {
      context.fillStyle = COLOURS[colour];
      context.fillRect(x, y, w, h);
    },
    shape(d, colour, place) {
      context.save();
      if (place) {
        context.translate(place.x, place.y);
        context.scale(place.scale, place.scale);
      }
      context.fillStyle = COLOURS[colour];
      context.fill(new Path2D(d), 'evenodd');
      context.restore();
    },
    text(line, x, y, colour) {
      context.fillStyle = COLOURS[colour];
      line.draw(x, y);
    },
    line: (text, face, size, spacing) => setLine(pen, text, { face, size, ...spacing }),
    lineWithin: (text, face, size, room) => lineWithin(pen, text, { face, size, room }),
    linesWithin: (text, o) => linesWithin(pen, text, o),
    encode: (texts) => encodePng({ width, height, rgba: canvas.data(), palette: PALETTE, texts }),
  };
}

function mix(below: Colour, above: Colour, share: number): number {
  const [a, b] = [channels(below), channels(above)];
  const at = (c: 0 | 1 | 2) => Math.round(a[c] + (b[c] - a[c]) * share);
  return (at(0) << 16) | (at(1) << 8) | at(2);
}

function channels(colour: Colour): readonly [number, number, number] {
  const value = Number.parseInt(COLOURS[colour].slice(1), 16);
  return [value >> 16, (value >> 8) & 255, value & 255];
}
