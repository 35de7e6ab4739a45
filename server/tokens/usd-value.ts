import { rescale } from '@/server/money';
import type { TokenEntry } from './token-table';

/** Decimals of a micro-USD, the unit of all USD values. */
const USD_DECIMALS = 6;

/**
 * Value in micro-USD of an amount (base units) of a token that is valued at par, rounded once, half up.
 * Null for tokens that need a rate.
 */
export function usdValueAtPar(o: {
  token: TokenEntry;
  amount: bigint;
  decimals: number;
}): bigint | null {
  return o.token.valuation === 'par' ? rescale(o.amount, o.decimals, USD_DECIMALS) : null;
}
