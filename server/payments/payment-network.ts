import { GENESIS_HASH } from '@/server/chain/genesis';
import type { Network } from '@/server/env';
import { usdcMint } from '@/server/tokens/usdc-mint';

/** The names that a network has in the three dialects, and its USDC mint. */
export type PaymentNetwork = {
  /** Documented dialect (service interface, accepts[].network). */
  documented: string;
  /** x402 v1 (specs/schemes/exact/scheme_exact_svm.md). */
  v1: string;
  /** x402 v2: CAIP-2, the first 32 characters of the genesis hash. */
  caip2: string;
  usdcMint: string;
};

/** The embedded chain goes by mainnet's names, as clients know no other. */
export function paymentNetwork(network: Network): PaymentNetwork {
  const cluster = network === 'devnet' ? 'devnet' : 'mainnet';
  return {
    documented: `solana-${cluster}`,
    v1: cluster === 'devnet' ? 'solana-devnet' : 'solana',
    caip2: `solana:${GENESIS_HASH[cluster].slice(0, 32)}`,
    usdcMint: usdcMint(network),
  };
}
