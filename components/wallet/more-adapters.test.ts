import { readFileSync } from 'node:fs';
import { NextRequest } from 'next/server';
import { expect, test } from 'vitest';
import { proxy } from '@/proxy';

const ANDROID = 'Mozilla/5.0 (Linux; Android 16; Pixel 9) Chrome/150.0';

function policyFor(userAgent: string): Map<string | undefined, string> {
  const request = new NextRequest('https://quittance.example/', {
    headers: { 'user-agent': userAgent },
  });
  const policy = proxy(request).headers.get('content-security-policy') ?? '';
  return new Map(policy.split('; ').map((rule) => [rule.split(' ')[0], rule]));
}

test('only wallets are offered whose page hears of a switch of the account, and which need no frame', () => {
  // The library of Ledger loads only in browsers, so the test reads the source.
  const source = readFileSync('components/wallet/more-adapters.ts', 'utf8');
  const made = [...source.matchAll(/new (\w+)\(/g)].map(([, name]) => name);
  expect(made).toEqual(['LedgerWalletAdapter']);
});

test('no page may hold a frame of another site, and only Android reaches an app on the device', () => {
  for (const agent of ['Mozilla/5.0 (iPhone)', ANDROID])
    expect(policyFor(agent).get('frame-src')).toBe("frame-src 'none'");
  expect(policyFor('Mozilla/5.0 (iPhone)').get('connect-src')).toBe("connect-src 'self'");
  expect(policyFor(ANDROID).get('connect-src')).toBe("connect-src 'self' ws://localhost:*");
});
