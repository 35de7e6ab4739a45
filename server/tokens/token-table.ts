import type { Network } from '@/server/env';
import { listTokens } from '@quittance/verify/tokens/token-table';

/** The mint of USDC on a network, from the table. */
export function usdcMint(network: Network): string {
  const usdc = listTokens(network).find(
    ({ symbol, valuation }) => symbol === 'USDC' && valuation === 'par',
  );
  if (!usdc?.mint) throw new Error(`the token table has no USDC on ${network}`);
  return usdc.mint;
}
