import type { Site } from './site-context';

/**
 * The explorer page of an address or transaction. Null on the embedded chain, which no explorer
 * reaches.
 */
export function explorerUrl(
  network: Site['network'],
  kind: 'address' | 'transaction',
  value: string,
): string | null {
  if (network === 'local') return null;
  const cluster = network === 'devnet' ? '?cluster=devnet' : '';
  return `https://explorer.solana.com/${kind === 'transaction' ? 'tx' : 'address'}/${value}${cluster}`;
}
