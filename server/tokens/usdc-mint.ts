import type { Network } from '@/server/env';
import { listTokens } from './token-table';

/** The mint of USDC on a network, from the table. */
export function usdcMint(network: Network): string {
  const mint = listTokens(network).find(({ symbol }) => symbol === 'USDC')?.mint;
  if (typeof mint !== 'string') throw new Error(`the token table has no USDC on ${network}`);
  return mint;
}
