import encodeQr from 'qr';
import type { Canvas } from './draw-canvas';
import { INKS } from './draw-inks';
import type { Point, Polygon } from './draw-raster';
import type { Mark } from './draw-rows';

/** The sign of who answers for a line, in a field of `size` pixels whose upper left is at (x, y). */
export function drawSign(canvas: Canvas, mark: Mark, x: number, y: number, size: number): void {
  const place = (polygons: Polygon[]) =>
    polygons.map((polygon) =>
      polygon.map((p) => ({ x: x + (p.x * size) / 24, y: y + (p.y * size) / 24 })),
    );
  if (mark === 'chain') {
    canvas.shape(place([SEAL]), INKS.verified);
    canvas.shape(place([TICK]), INKS.tick);
  } else if (mark === 'party') canvas.shape(place(PENCIL), INKS.pending);
  else canvas.shape(place(EQUALS), INKS.muted);
}

// The signs are drawn on a field of 24 by 24.
const SEAL = star(12, 11, 9.6);
const TICK = points('6.6 12.6 8.2 11 10.7 13.5 15.9 8 17.5 9.5 10.8 16.6');
const PENCIL = [
  points('3 21 4.4 15 14 5.4 18.6 10 9 19.6'),
  points('15.2 4.2 17 2.4 21.6 7 19.8 8.8'),
  // Cut out of the first, the other way round: what is left is an outline with a filled tip.
  points('6.5 16.6 7.4 17.5 15.8 10 14 8.2').reverse(),
];
const EQUALS = [
  star(12, 10, 10),
  [...star(12, 8.2, 8.2)].reverse(),
  points('7.8 8.8 16.2 8.8 16.2 10.7 7.8 10.7'),
  points('7.8 13.3 16.2 13.3 16.2 15.2 7.8 15.2'),
];

/** The lower end of a sheet, torn off along teeth about 22 pixels wide; its upper edge is straight. */
export function tornEdge(x: number, y: number, width: number, height: number): Polygon {
  const teeth = Math.round(width / 22);
  const tooth = width / teeth;
  const edge = Array.from({ length: teeth }, (_, i) => [
    { x: x + width - (i + 0.5) * tooth, y: y + 3 },
    { x: x + width - (i + 1) * tooth, y: y + height },
  ]);
  return [{ x, y }, { x: x + width, y }, { x: x + width, y: y + height }, ...edge.flat()];
}

/** Cells that the encoder leaves free on every side, at least one. */
const QUIET = 1;

/**
 * A QR code (error correction M), at most `size` pixels wide, its lower right corner at (right, bottom).
 * Its cells are whole pixels, so that edges stay sharp; the paper around it is its quiet zone. Gives its
 * left edge.
 */
export function drawQrCode(
  canvas: Canvas,
  o: { text: string; right: number; bottom: number; size: number },
): number {
  const code = encodeQr(o.text, 'raw', { ecc: 'medium', encoding: 'byte', border: QUIET });
  const cells = code.slice(QUIET, -QUIET).map((row) => row.slice(QUIET, -QUIET));
  const cell = Math.max(1, Math.floor(o.size / cells.length));
  const left = o.right - cell * cells.length;
  const top = o.bottom - cell * cells.length;
  for (const [y, row] of cells.entries())
    for (const [x, isDark] of row.entries())
      if (isDark) canvas.rectangle(left + x * cell, top + y * cell, cell, cell, INKS.text);
  return left;
}

/** A disc around the middle of the field, its edge going in and out between two radii. */
function star(middle: number, outer: number, inner: number): Polygon {
  const corners = 48;
  return Array.from({ length: corners }, (_, i) => {
    const angle = (2 * Math.PI * i) / corners;
    // Twelve scallops; rounded, as sines may differ in the last digit from machine to machine.
    const radius = (outer + inner) / 2 + ((outer - inner) / 2) * Math.cos(angle * 12);
    const round = (value: number) => Math.round(value * 1000) / 1000;
    return {
      x: round(middle + radius * Math.sin(angle)),
      y: round(middle - radius * Math.cos(angle)),
    };
  });
}

function points(text: string): Point[] {
  const numbers = text.split(' ').map(Number);
  return Array.from({ length: numbers.length / 2 }, (_, i) => ({
    x: numbers[2 * i] ?? 0,
    y: numbers[2 * i + 1] ?? 0,
  }));
}
