import encodeQr from 'qr';
import type { Paint } from './draw-paint';

/** The source of a line: the chain, one of the parties, or this service. */
export type Mark = 'chain' | 'party' | 'service';

/** The sign of who answers for a group of lines, in a field of `size` pixels with its upper left at (x, y). */
export function drawSign(paint: Paint, mark: Mark, x: number, y: number, size: number): void {
  const place = { x, y, scale: size / 24 };
  if (mark === 'chain') {
    paint.shape(SEAL, 'verified', place);
    paint.shape(TICK, 'paper', place);
  } else if (mark === 'party') paint.shape(PENCIL, 'pending', place);
  else paint.shape(EQUALS, 'muted', place);
}

// The signs are drawn on a field of 24 by 24.
const SEAL = `M${star(12, 12, 11, 9.6).join('L')}Z`;
const TICK = 'M6.6 12.6 8.2 11 10.7 13.5 15.9 8 17.5 9.5 10.8 16.6Z';
const PENCIL =
  'M3 21 4.4 15 14 5.4 18.6 10 9 19.6ZM15.2 4.2 17 2.4 21.6 7 19.8 8.8ZM6.5 16.6 7.4 17.5 15.8 10 14 8.2Z';
const EQUALS = `M${star(12, 12, 10, 10).join('L')}ZM${star(12, 12, 8.2, 8.2).join('L')}ZM7.8 8.8H16.2V10.7H7.8ZM7.8 13.3H16.2V15.2H7.8Z`;

/** The lower end of a sheet, torn off along teeth about 22 pixels wide; its upper edge is straight. */
export function tornEdge(x: number, y: number, width: number, height: number): string {
  const teeth = Math.round(width / 22);
  const tooth = width / teeth;
  const edge = Array.from(
    { length: teeth },
    (_, i) =>
      `L${x + width - (i + 0.5) * tooth} ${y + 3}L${x + width - (i + 1) * tooth} ${y + height}`,
  );
  return `M${x} ${y}H${x + width}V${y + height}${edge.join('')}Z`;
}

/** Cells that the encoder leaves free on every side, at least one. */
const QUIET = 1;

/**
 * A QR code (error correction M), at most `size` pixels wide, its lower right corner at (right, bottom).
 * Its cells are whole pixels, so that edges stay sharp; the paper around it is its quiet zone. Gives its
 * left and upper edge.
 */
export function drawQrCode(
  paint: Paint,
  o: { text: string; right: number; bottom: number; size: number },
): { left: number; top: number } {
  const code = encodeQr(o.text, 'raw', { ecc: 'medium', encoding: 'byte', border: QUIET });
  const cells = code.slice(QUIET, -QUIET).map((row) => row.slice(QUIET, -QUIET));
  const cell = Math.max(1, Math.floor(o.size / cells.length));
  const left = o.right - cell * cells.length;
  const top = o.bottom - cell * cells.length;
  for (const [y, row] of cells.entries())
    for (const [x, isDark] of row.entries())
      if (isDark) paint.rectangle(left + x * cell, top + y * cell, cell, cell, 'text');
  return { left, top };
}

/** A disc around (x, y), its edge going in and out between two radii. */
function star(x: number, y: number, outer: number, inner: number): string[] {
  const corners = 48;
  return Array.from({ length: corners }, (_, i) => {
    const angle = (2 * Math.PI * i) / corners;
    // Twelve scallops; rounded, because sines may differ in the last digit from machine to machine.
    const radius = (outer + inner) / 2 + ((outer - inner) / 2) * Math.cos(angle * 12);
    const round = (value: number) => Math.round(value * 1000) / 1000;
    return `${round(x + radius * Math.sin(angle))} ${round(y - radius * Math.cos(angle))}`;
  });
}
