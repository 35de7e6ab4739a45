import { readFileSync } from 'node:fs';
import * as fontkit from 'fontkit';
import { expect, it } from 'vitest';

const faces =
  readFileSync('components/ui/like-inter.css', 'utf8').match(/@font-face \{[^}]*\}/g) ?? [];

function valueOf(face: string, name: string): string {
  return new RegExp(`${name}: ([^;]+);`).exec(face)?.[1] ?? '';
}

const percentOf = (face: string, name: string) => Number.parseFloat(valueOf(face, name)) / 100;

it('has a face of each system in both weights', () => {
  const names = faces.map(
    (face) => `${valueOf(face, 'font-family')} ${valueOf(face, 'font-weight')}`,
  );
  expect(names).toEqual(
    ['Arial', 'Roboto', 'DejaVu'].flatMap((name) =>
      ['400', '600'].map((weight) => `'Inter from ${name}' ${weight}`),
    ),
  );
});

it.each(faces)('has lines as high as those of Inter: %s', (face) => {
  const file = `inter-latin-${valueOf(face, 'font-weight')}-normal.woff2`;
  const inter = fontkit.create(readFileSync(`node_modules/@fontsource/inter/files/${file}`));
  if (!('ascent' in inter)) throw new Error(`${file} has several fonts`);
  const size = percentOf(face, 'size-adjust');
  const heights = ['ascent', 'descent'].map((name) => percentOf(face, `${name}-override`) * size);
  expect(heights[0]).toBeCloseTo(inter.ascent / inter.unitsPerEm, 3);
  expect(heights[1]).toBeCloseTo(-inter.descent / inter.unitsPerEm, 3);
  expect(percentOf(face, 'line-gap-override')).toBe(inter.lineGap);
});
