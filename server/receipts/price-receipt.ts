import { USD } from '@/server/money';

/** Receipts for less than one US dollar are free; exactly 1.000000 is not less. */
const FREE_BELOW_MICROS = USD;
/** 0.1 % of the value, at least 0.10 and at most 5 USDC (service interface, Limits). */
const LEAST_FEE_MICROS = 100_000n;
const MOST_FEE_MICROS = 5_000_000n;

/** Fee of a receipt in micro-USDC for a transfer worth `usdMicros`; 0n in the free tier. */
export function priceReceipt(usdMicros: bigint): bigint {
  if (usdMicros < FREE_BELOW_MICROS) return 0n;
  const share = usdMicros / 1000n;
  if (share < LEAST_FEE_MICROS) return LEAST_FEE_MICROS;
  return share > MOST_FEE_MICROS ? MOST_FEE_MICROS : share;
}
