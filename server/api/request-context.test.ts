import { describe, expect, it } from 'vitest';
import { readWait } from './request-context';
import { readBrowserCall, sessionCookie } from './browser-call';
import { clientAddress } from './client-address';

describe('Prefer: wait', () => {
  it.each([
    [null, null],
    ['', null],
    ['wait=10', 10],
    ['respond-async, wait=5', 5],
    ['wait="7"; foo=bar', 7],
    ['wait=9999', 30],
    ['await=10', null],
    ['wait=-1', null],
    ['wait=1e9', null],
  ])('%j is %j seconds', (header, seconds) => {
    expect(readWait(header)).toBe(seconds);
  });
});

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

it('the host that a caller names counts only on an embedded stack', () => {
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

const seen = (hops: number, forwarded: string | null, peer: string | null = '10.0.0.5') => {
  const headers: Record<string, string | null> = {
    'x-forwarded-for': forwarded,
    'x-quittance-peer': peer,
  };
  return clientAddress({ get: (name) => headers[name] ?? null }, hops);
};

describe('the address of a client', () => {
  it('is that of the connection unless proxies are trusted, also if the client claims another', () => {
    expect(seen(0, '1.2.3.4, 198.51.100.7')).toBe('10.0.0.5');
    expect(seen(0, null)).toBe('10.0.0.5');
  });

  it('is the one that the outermost trusted proxy saw, never an entry before it', () => {
    expect(seen(1, '1.2.3.4, 198.51.100.7')).toBe('198.51.100.7');
    expect(seen(2, '1.2.3.4, 8.8.8.8, 198.51.100.7')).toBe('8.8.8.8');
    expect(seen(1, '8.8.8.8')).toBe('8.8.8.8');
  });

  it('is that of the first hop when a request came past the proxies', () => {
    expect(seen(3, null)).toBe('10.0.0.5');
    expect(seen(3, '8.8.8.8')).toBe('8.8.8.8');
  });

  it('is empty when the entry is not an address', () => {
    expect(seen(1, 'nonsense')).toBe('');
    expect(seen(1, '1.2.3.4, ')).toBe('');
    expect(seen(0, null, null)).toBe('');
  });

  it('is read without a port', () => {
    expect(seen(1, '8.8.8.8:4711')).toBe('8.8.8.8');
    expect(seen(1, '[2001:4860:4860::8888]:443')).toBe('2001:4860:4860::8888');
    expect(seen(1, '2001:4860:4860::8888')).toBe('2001:4860:4860::8888');
  });

  it.each([
    '::ffff:8.8.8.8',
    '::FFFF:0808:0808',
    '[::ffff:8.8.8.8]:443',
    '[::ffff:808:808]',
    '0:0:0:0:0:ffff:8.8.8.8',
    '64:ff9b::8.8.8.8',
  ])('is the IPv4 address for %s, from a proxy and from a socket', (text) => {
    expect(seen(1, text)).toBe('8.8.8.8');
    if (!text.startsWith('[')) expect(seen(0, null, text)).toBe('8.8.8.8');
  });

  it('has one spelling, without a zone', () => {
    expect(seen(0, null, 'fe80::1%eth0')).toBe('fe80::1');
    expect(seen(1, '2001:DB8:0::1')).toBe('2001:db8::1');
  });
});
