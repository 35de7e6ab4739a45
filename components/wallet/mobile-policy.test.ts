import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { MOBILE_STYLES, usesMobileWallets } from './mobile-policy';

const LIBRARY = 'node_modules/@solana-mobile/wallet-standard-mobile/lib/esm/index.browser.js';

test('the policy allows the style sheets of the installed library, and no others', () => {
  const source = readFileSync(LIBRARY, 'utf8');
  const sheets = new Map(
    [...source.matchAll(/const (css\$?\d*) = `([^`]*)`;/g)].map(([, name, text]) => [name, text]),
  );
  const frame = /textContent = (css\$?\d*) \+ this\.contentStyles/.exec(source)?.[1];
  const waiting = /textContent = (css\$?\d*);/.exec(source)?.[1];
  const contentOf = (modal: string) =>
    new RegExp(`var ${modal} = class[^]*?contentStyles = (css\\$?\\d*)`).exec(source)?.[1];
  const modals = [
    'LocalConnectionModal',
    'LoopbackPermissionBlockedModal',
    'LoopbackPermissionModal',
  ];
  const texts = [
    sheets.get(waiting),
    ...modals.map((modal) => `${sheets.get(frame)}${sheets.get(contentOf(modal))}`),
  ];
  const hashes = texts.map(
    (text) => `sha256-${createHash('sha256').update(String(text)).digest('base64')}`,
  );
  expect(MOBILE_STYLES).toEqual(hashes);
});

test('only browsers on Android use the Mobile Wallet Adapter', () => {
  expect(usesMobileWallets('Mozilla/5.0 (Linux; Android 16; Pixel 9) Chrome/150.0')).toBe(true);
  for (const agent of [null, '', 'Mozilla/5.0 (iPhone; CPU iPhone OS 20_0 like Mac OS X)'])
    expect(usesMobileWallets(agent)).toBe(false);
});
