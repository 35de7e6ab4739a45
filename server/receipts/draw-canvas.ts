import type { Ink } from './draw-inks';
import { rasterise, type Mask, type Polygon } from './draw-raster';
import { glyphMask, type Line } from './draw-text';

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
