import { USD } from '@quittance/verify/money';
import { GENESIS_HASH } from '@quittance/verify/network';
import type { Network } from '@/server/env';
import { usdcMint } from '@/server/tokens/token-table';

/** Receipts for less than one US dollar are free; exactly 1.000000 is not less. */
const FREE_BELOW_MICROS = USD;
/** 0.1 % of the value, at least 0.10 and at most 5 USDC (service interface, Limits). */
const LEAST_RECEIPT_MICROS = 100_000n;
const MOST_RECEIPT_MICROS = 5_000_000n;
/** Statements by number of transactions (service interface, Limits). */
const STATEMENT_TIERS = [
  { upTo: 10, micros: 1_000_000n },
  { upTo: 50, micros: 3_000_000n },
  { upTo: Number.POSITIVE_INFINITY, micros: 5_000_000n },
] as const;

/** Fee of a receipt in micro-USDC for a transfer worth `usdMicros`; 0n in the free tier. */
export function priceReceipt(usdMicros: bigint): bigint {
  if (usdMicros < FREE_BELOW_MICROS) return 0n;
  const share = usdMicros / 1000n;
  if (share < LEAST_RECEIPT_MICROS) return LEAST_RECEIPT_MICROS;
  return share > MOST_RECEIPT_MICROS ? MOST_RECEIPT_MICROS : share;
}

/** Fee of a statement in micro-USDC for so many transactions. */
export function priceStatement(txCount: number): bigint {
  const tier = STATEMENT_TIERS.find(({ upTo }) => txCount <= upTo);
  return (tier ?? STATEMENT_TIERS[2]).micros;
}

/** A route that costs money: its prices in micro-USDC and in words. */
type PricedRoute = {
  method: 'POST';
  path: string;
  leastMicros: bigint;
  mostMicros: bigint;
  rule: string;
};

/** Every priced route; a further one joins here, and the 402 messages follow. */
export const PRICE_LIST: readonly PricedRoute[] = [
  {
    method: 'POST',
    path: '/mint',
    leastMicros: LEAST_RECEIPT_MICROS,
    mostMicros: MOST_RECEIPT_MICROS,
    rule: '0.1 % of the value of the transaction, at least 0.10 and at most 5 USDC; under 1 USD free',
  },
  {
    method: 'POST',
    path: '/statement',
    leastMicros: STATEMENT_TIERS[0].micros,
    mostMicros: STATEMENT_TIERS[2].micros,
    rule: '1 USDC for 1 to 10 transactions, 3 USDC for 11 to 50, 5 USDC for 51 and more',
  },
];

/** Largest price of all: what a client's spend cap must allow. */
export const LARGEST_PRICE_MICROS = PRICE_LIST.reduce(
  (most, { mostMicros }) => (mostMicros > most ? mostMicros : most),
  0n,
);

/** Smallest price of all: a smaller payment buys nothing. */
export const LEAST_PRICE_MICROS = PRICE_LIST.reduce(
  (least, { leastMicros }) => (leastMicros < least ? leastMicros : least),
  LARGEST_PRICE_MICROS,
);

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

/** The embedded chain uses mainnet's names, because clients know no other. */
export function paymentNetwork(network: Network): PaymentNetwork {
  const cluster = network === 'devnet' ? 'devnet' : 'mainnet';
  return {
    documented: `solana-${cluster}`,
    v1: cluster === 'devnet' ? 'solana-devnet' : 'solana',
    caip2: `solana:${GENESIS_HASH[cluster].slice(0, 32)}`,
    usdcMint: usdcMint(network),
  };
}
