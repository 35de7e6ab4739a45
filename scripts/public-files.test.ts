import { existsSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { z } from 'zod';

const manifest = z.object({
  start_url: z.literal('/'),
  icons: z.array(
    z.object({
      src: z.string().startsWith('/'),
      sizes: z.string(),
      type: z.string(),
      purpose: z.string().optional(),
    }),
  ),
});

it('the manifest names existing icons in the right sizes, one of them maskable', () => {
  const { icons } = manifest.parse(JSON.parse(readFileSync('public/site.webmanifest', 'utf8')));
  for (const { src, sizes, type } of icons.filter((icon) => icon.type === 'image/png')) {
    const png = readFileSync(`public${src}`);
    expect(`${png.readUInt32BE(16)}x${png.readUInt32BE(20)} ${type}`).toBe(`${sizes} image/png`);
  }
  expect(icons.map(({ purpose }) => purpose)).toContain('maskable');
  expect(existsSync('public/icon.svg')).toBe(true);
});

it('pages name existing icons, and the image ships them', () => {
  const layout = readFileSync('app/layout.tsx', 'utf8');
  const named = [...layout.matchAll(/'(\/[a-z0-9-]+\.(?:svg|png|webmanifest))'/g)];
  expect(named).toHaveLength(4);
  for (const [, path = ''] of named) expect(existsSync(`public${path}`), path).toBe(true);
  expect(readFileSync('Dockerfile', 'utf8')).toContain('COPY --from=build /app/public ./public');
});

it('robots may read the files that link previews need', () => {
  const rules = readFileSync('public/robots.txt', 'utf8').match(/^Disallow: .*$/gm) ?? [];
  const closed = rules.map((rule) => rule.slice('Disallow: '.length));
  expect(closed.length).toBeGreaterThan(0);
  for (const path of [
    '/',
    '/r/7K3MQ9XW2ABC',
    '/r/7K3MQ9XW2ABC/card.png',
    '/s/STMT7K3MQ9XW',
    '/docs',
  ])
    expect(
      closed.some((one) => one === '' || path.startsWith(one)),
      path,
    ).toBe(false);
});
