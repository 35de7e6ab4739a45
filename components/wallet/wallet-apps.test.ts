import { expect, test } from 'vitest';
import { isTouchDevice, walletAppLinks } from './wallet-apps';

test('a link to a wallet app carries the whole address, so the chosen payment comes along', () => {
  const page = 'https://quittance.example/?tx=5abc&for=API%20access#top';
  const links = walletAppLinks(page);
  expect(links.map(({ name }) => name)).toEqual(['Phantom', 'Solflare', 'Backpack']);
  for (const { href } of links) {
    const url = new URL(href);
    expect(url.protocol).toBe('https:');
    expect(decodeURIComponent(url.pathname.split('/').at(-1) ?? '')).toBe(page);
    // Nothing of the page's address may leak out of its place.
    expect([...url.searchParams.keys(), url.hash]).toEqual(['ref', '']);
    expect(url.searchParams.get('ref')).toBe('https://quittance.example');
  }
});

test('a laptop with a touch screen and a mouse is no phone', () => {
  const device = (maxTouchPoints: number, isCoarse: boolean) => ({
    navigator: { maxTouchPoints },
    matchMedia: (query: string) =>
      Object.assign(new EventTarget(), MEDIA, { matches: isCoarse, media: query }),
  });
  expect(isTouchDevice(device(5, true))).toBe(true);
  expect(isTouchDevice(device(10, false))).toBe(false);
  expect(isTouchDevice(device(0, true))).toBe(false);
});

const MEDIA = { onchange: null, addListener: () => undefined, removeListener: () => undefined };
