import { expect, test } from 'vitest';
import { explorerUrl } from './explorer-url';

test.each([
  ['mainnet', 'address', 'https://explorer.solana.com/address/asset'],
  ['mainnet', 'transaction', 'https://explorer.solana.com/tx/asset'],
  ['devnet', 'address', 'https://explorer.solana.com/address/asset?cluster=devnet'],
  ['local', 'address', null],
] as const)('on %s the explorer page of the %s is %s', (network, kind, url) => {
  expect(explorerUrl(network, kind, 'asset')).toBe(url);
});
