import type { TokenEntry } from '@quittance/verify/tokens/token-table';
import { findRate } from './find-rate';
import { ONE, toDecimalText, type Fraction } from '@quittance/verify/rates/fraction';
import type { RatesContext } from './rates-context';

/** What one unit of a token is worth on a day. */
export type TokenPrice = {
  /** US dollars for one unit, exact. */
  usdPerUnit: Fraction;
  basis: 'par' | 'fx' | 'market';
  /** Where the price is from, with the price and its day; null at par. */
  source: string | null;
  /** Whether the source may still publish another one for that day. */
  isProvisional: boolean;
};

/**
 * The price of a token on a UTC day: at par, by the rate of its currency, or at the market price of that
 * day. Null for a token that has no valuation. Throws `rates_unavailable` and `rate_not_covered`.
 */
export async function priceToken(
  ctx: RatesContext,
  o: { token: Pick<TokenEntry, 'valuation'>; day: string },
): Promise<TokenPrice | null> {
  const { valuation } = o.token;
  if (valuation === null) return null;
  if (valuation === 'par') return AT_PAR;
  const [quote, basis] =
    valuation === 'market' ? (['SOL', 'market'] as const) : ([valuation.fx, 'fx'] as const);
  const rate = await findRate(ctx, { quote, day: o.day });
  return {
    usdPerUnit: rate.usdPerUnit,
    basis,
    source: `${rate.source}: ${quote}/USD ${toDecimalText(rate.usdPerUnit)} of ${rate.publishedOn}`,
    isProvisional: !rate.isFinal,
  };
}

const AT_PAR: TokenPrice = { usdPerUnit: ONE, basis: 'par', source: null, isProvisional: false };
