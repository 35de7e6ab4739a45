import { expect, test } from 'vitest';
import { isTouchDevice, mayOpenApp, walletAppLinks } from './wallet-apps';

test('a link to a wallet app has the whole address of the page, so the chosen payment is kept', () => {
  const page = 'https://quittance.example/?tx=5abc&for=API%20access#top';
  const links = walletAppLinks(page);
  expect(links.map(({ name }) => name)).toEqual(['Phantom', 'Solflare', 'Backpack']);
  for (const { href } of links) {
    const url = new URL(href);
    expect(url.protocol).toBe('https:');
    expect(decodeURIComponent(url.pathname.split('/').at(-1) ?? '')).toBe(page);
    // No part of the page's address may reach another part of the link.
    expect([...url.searchParams.keys(), url.hash]).toEqual(['ref', '']);
    expect(url.searchParams.get('ref')).toBe('https://quittance.example');
  }
});

test('a laptop with a touch screen and a mouse is not a phone', () => {
  const device = (maxTouchPoints: number, isCoarse: boolean) => ({
    navigator: { maxTouchPoints },
    matchMedia: (query: string) =>
      Object.assign(new EventTarget(), MEDIA, { matches: isCoarse, media: query }),
  });
  expect(isTouchDevice(device(5, true))).toBe(true);
  expect(isTouchDevice(device(10, false))).toBe(false);
  expect(isTouchDevice(device(0, true))).toBe(false);
});

test('a browser that tells nothing of presses is taken to open apps at any time', () => {
  expect(mayOpenApp({})).toBe(true);
  expect(mayOpenApp({ userActivation: { isActive: true } })).toBe(true);
  expect(mayOpenApp({ userActivation: { isActive: false } })).toBe(false);
});

const MEDIA = { onchange: null, addListener: () => undefined, removeListener: () => undefined };
