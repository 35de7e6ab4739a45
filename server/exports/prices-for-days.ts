import { assetOf } from '@quittance/verify/chain/programs';
import { ServiceError } from '@/server/errors';
import { dayOf } from '@/server/rates/day';
import type { Fraction } from '@quittance/verify/rates/fraction';
import { priceToken } from '@/server/rates/price-token';
import type { RatesContext } from '@/server/rates/rates-context';
import { tokenByMint } from '@quittance/verify/tokens/token-table';

/** What the price of a row goes by. */
export type PricedRow = { blockTime: Date; mint: string | null; valuation: string };

/**
 * Exact prices of tokens that are not at par, by day: a receipt keeps its dollar value rounded, and going
 * through that would give another local amount than `/calculate` does. A price that is not to be had is left out.
 */
export function pricesForDays(ctx: RatesContext): {
  fetch(rows: readonly PricedRow[]): Promise<void>;
  of(mint: string | null, day: string): Fraction | null;
  /** Whether a source did not answer: a price that is left out may be had later. */
  isDown(): boolean;
} {
  const known = new Map<string, Fraction | null>();
  const keyOf = (mint: string | null, day: string) => `${assetOf(mint) ?? ''} ${day}`;
  let isDown = false;

  const priceOf = async (mint: string | null, day: string): Promise<Fraction | null> => {
    const token = tokenByMint(mint, ctx.env.network);
    if (!token || isDown) return null;
    try {
      return (await priceToken(ctx, { token, day }))?.usdPerUnit ?? null;
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error;
      isDown ||= error.code === 'rates_unavailable';
      return null;
    }
  };
  return {
    fetch: async (rows) => {
      for (const { blockTime, mint, valuation } of rows) {
        if (valuation === 'par') continue;
        const day = dayOf(blockTime);
        const key = keyOf(mint, day);
        if (!known.has(key)) known.set(key, await priceOf(mint, day));
      }
    },
    of: (mint, day) => known.get(keyOf(mint, day)) ?? null,
    isDown: () => isDown,
  };
}
