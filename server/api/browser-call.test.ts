import { expect, it } from 'vitest';
import { readBrowserCall, sessionCookie } from './browser-call';

const TOKEN = 'a'.repeat(43);
const SITE = 'https://receipts.example';
const env = { network: 'mainnet', publicUrl: SITE } as const;

function tokenOf(headers: Record<string, string>, method = 'GET'): string | null {
  const cookie = `other=1; __Host-quittance=${TOKEN}`;
  const call = readBrowserCall({
    headers: new Headers({ cookie, ...headers }),
    env,
    transport: { method, setCookie: () => undefined },
  });
  return call.sessionToken;
}

it('the cookie of a real site is out of reach for scripts, other sites, subdomains and plain http', () => {
  const expiresAt = new Date('2026-11-28T12:00:00Z');
  expect(sessionCookie(SITE, { token: TOKEN, expiresAt })).toBe(
    `__Host-quittance=${TOKEN}; Path=/; HttpOnly; SameSite=Lax; Secure; Expires=Sat, 28 Nov 2026 12:00:00 GMT`,
  );
  expect(sessionCookie(SITE, null)).toBe(
    '__Host-quittance=; Path=/; HttpOnly; SameSite=Lax; Secure; Max-Age=0',
  );
});

it('a session counts in calls of our own pages', () => {
  expect(tokenOf({})).toBe(TOKEN);
  expect(tokenOf({ 'sec-fetch-site': 'same-origin' })).toBe(TOKEN);
  expect(tokenOf({ origin: SITE }, 'POST')).toBe(TOKEN);
});

it.each([
  ['another origin', 'GET', { origin: 'https://evil.example' }],
  ['another origin', 'POST', { origin: 'https://evil.example' }],
  ['the origin over http', 'POST', { origin: 'http://receipts.example' }],
  ['no origin', 'POST', {}],
  ['another site', 'GET', { 'sec-fetch-site': 'cross-site' }],
  ['a subdomain', 'GET', { 'sec-fetch-site': 'same-site' }],
])('it does not count in a call from %s by %s', (_, method, headers) => {
  expect(tokenOf(headers as Record<string, string>, method)).toBeNull();
});

it.each([
  ['under the name without the prefix', `quittance=${TOKEN}`],
  ['that is no token', '__Host-quittance=nonsense'],
])('a cookie %s is none', (_, cookie) => {
  expect(tokenOf({ cookie })).toBeNull();
});

it('what a caller says its host is counts on an embedded stack alone', () => {
  const siteOf = (network: 'local' | 'mainnet', host: string) =>
    readBrowserCall({
      headers: new Headers({ host }),
      env: { network, publicUrl: SITE },
      transport: { method: 'GET', setCookie: () => undefined },
    }).site;
  expect(siteOf('local', 'localhost:3000')).toBe('http://localhost:3000');
  expect(siteOf('local', 'evil.example')).toBe(SITE);
  expect(siteOf('mainnet', 'localhost:3000')).toBe(SITE);
});
