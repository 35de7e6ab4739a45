import { describe, expect, test } from 'vitest';
import { rasterise, type Mask } from './draw-raster';
import { glyphMask, setLine, setLineWithin } from './draw-text';

const box = (x0: number, y0: number, x1: number, y1: number) => [
  { x: x0, y: y0 },
  { x: x1, y: y0 },
  { x: x1, y: y1 },
  { x: x0, y: y1 },
];
const at = (mask: Mask, x: number, y: number) =>
  mask.coverage[(y - mask.top) * mask.width + x - mask.left] ?? 0;
const areaOf = (mask: Mask) => mask.coverage.reduce((sum, one) => sum + one, 0) / 255;

describe('a rasterised shape', () => {
  test('covers each pixel by the share of it that it fills', () => {
    const mask = rasterise([box(1.25, -2.5, 3.5, 0)]);
    expect([at(mask, 1, -1), at(mask, 2, -1), at(mask, 3, -1), at(mask, 4, -1)]).toEqual([
      Math.round(0.75 * 255),
      255,
      Math.round(0.5 * 255),
      0,
    ]);
    expect(at(mask, 2, -3)).toBe(Math.round(0.5 * 255));
    expect(at(mask, 3, -3)).toBe(Math.round(0.25 * 255));
  });

  test('has its exact area, slanted edges and all', () => {
    const triangle = [
      { x: 0.3, y: 0.7 },
      { x: 40.9, y: 3.1 },
      { x: 11.4, y: 52.6 },
    ];
    const [a, b, c] = triangle;
    if (!a || !b || !c) throw new Error('a triangle has three corners');
    const exact = Math.abs((b.x - a.x) * (c.y - a.y) - (c.x - a.x) * (b.y - a.y)) / 2;
    expect(Math.abs(areaOf(rasterise([triangle])) - exact)).toBeLessThan(0.5);
  });

  test('has holes where contours run the other way, and none where they overlap', () => {
    expect(areaOf(rasterise([box(0, 0, 10, 10), [...box(2, 2, 8, 8)].reverse()]))).toBeCloseTo(64);
    expect(areaOf(rasterise([box(0, 0, 10, 10), box(5, 0, 15, 10)]))).toBeCloseTo(150);
  });

  test('of nothing covers nothing', () => {
    expect(rasterise([]).coverage).toHaveLength(0);
  });
});

describe('a line of text', () => {
  test('is as wide as the font says: mono letters are 0.6 em each', () => {
    expect(setLine('0123456789', 'mono').widthEm).toBeCloseTo(6);
  });

  test('draws close pairs together', () => {
    const apart = setLine('A', 'regular').widthEm + setLine('V', 'regular').widthEm;
    expect(setLine('AV', 'regular').widthEm).toBeLessThan(apart - 0.04);
  });

  test('that does not fit is cut with an ellipsis and then fits; one that does is left whole', () => {
    const cut = setLineWithin('W'.repeat(64), 'regular', 10);
    expect(cut.widthEm).toBeLessThanOrEqual(10);
    expect(cut.widthEm).toBeGreaterThan(8);
    const [last] = cut.glyphs.slice(-1);
    expect(last?.glyph).toBe(setLine('…', 'regular').glyphs[0]?.glyph);
    expect(setLineWithin('short', 'regular', 10)).toEqual(setLine('short', 'regular'));
  });

  test('has letters with their holes: an o is a ring, a dash is not', () => {
    const [o] = setLine('o', 'semibold').glyphs;
    if (!o) throw new Error('no glyph');
    const mask = glyphMask(o.glyph, o.font, 200, 0);
    const middle = at(mask, Math.round((o.glyph.advance * 100) / o.font.unitsPerEm), -54);
    expect(middle).toBe(0);
    expect(areaOf(mask)).toBeGreaterThan(3000);
  });
});
