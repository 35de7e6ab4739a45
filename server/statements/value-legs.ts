import { ServiceError, type ErrorCode } from '@/server/errors';
import { USD_DECIMALS } from '@quittance/verify/money';
import { dayOf } from '@/server/rates/day';
import { convert } from '@quittance/verify/rates/fraction';
import { priceToken, type TokenPrice } from '@/server/rates/price-token';
import { findReceiptBriefs } from '@/server/receipts/find-receipt-briefs';
import { tokenByMint, type TokenEntry } from '@quittance/verify/tokens/token-table';
import type { ListedValue } from './frozen-list';
import type { StatedLeg } from '@quittance/verify/statements/stated-legs';
import type { StatementContext } from './statement-context';

/** Days whose price is asked for at once. */
const AT_ONCE = 6;
/** Largest signed 64-bit number: what the database holds, 9.2 trillion units at 6 decimals. */
const LARGEST_AMOUNT = 2n ** 63n - 1n;

/** The value of a leg, or why it has none. */
export type Valued = ListedValue | { signature: string; code: ErrorCode; detail: string };

/**
 * Values legs of a wallet, in their order: as the receipt of the transaction says for the leg that it is
 * about, else at the price of the day, looked up once a token and day. A token without valuation and a
 * day without rate are told in the row; throws `rates_unavailable` when a source does not answer.
 */
export async function valueLegs(
  ctx: StatementContext,
  legs: readonly StatedLeg[],
): Promise<Valued[]> {
  const receipts = await findReceiptBriefs(ctx.db, [
    ...new Set(legs.map(({ signature }) => signature)),
  ]);
  const open = legs.flatMap(({ leg, blockTime }) => {
    const token = tokenByMint(leg.mint, ctx.env.network);
    return token && token.valuation !== null ? [{ token, day: dayOf(blockTime) }] : [];
  });
  const prices = await pricesOf(ctx, open);
  return legs.map(({ signature, blockTime, leg, isReceipted }) => {
    const { mint, decimals } = leg;
    const refused = (code: ErrorCode, detail: string): Valued => ({ signature, code, detail });
    const place = { signature, leg: leg.leg };
    const receipt = receipts.get(signature);
    if (receipt && isReceipted) {
      const { usdMicros, valuation } = receipt;
      return { ...place, usdMicros, valuation };
    }
    const token = tokenByMint(mint, ctx.env.network);
    const price = token && prices.get(keyOf({ token, day: dayOf(blockTime) }));
    if (!token || !price)
      return refused('unsupported_token', `mint ${mint ?? 'native SOL'} has no value`);
    if (price instanceof ServiceError) return refused(price.code, price.message);
    if (leg.amountSent > LARGEST_AMOUNT)
      return refused('unsupported_token', 'the amount is larger than any real supply');
    const usdMicros = convert({
      ...{ amount: leg.amount, decimals },
      ...{ price: price.usdPerUnit, toDecimals: USD_DECIMALS },
    });
    return { ...place, usdMicros, valuation: price.basis };
  });
}

type Wanted = { token: TokenEntry; day: string };

/** At par every day is one. */
function keyOf({ token, day }: Wanted): string {
  return token.valuation === 'par' ? 'par' : `${JSON.stringify(token.valuation)} ${day}`;
}

async function pricesOf(
  ctx: StatementContext,
  wanted: readonly Wanted[],
): Promise<Map<string, TokenPrice | ServiceError>> {
  const open = new Map(wanted.map((one) => [keyOf(one), one]));
  const prices = new Map<string, TokenPrice | ServiceError>();
  const waiting = open.entries();
  const work = async (): Promise<void> => {
    for (const [key, one] of waiting) {
      const price = await priceOf(ctx, one);
      if (price) prices.set(key, price);
    }
  };
  await Promise.all(Array.from({ length: Math.min(AT_ONCE, open.size) }, work));
  return prices;
}

/** A day that has no rate is told; a source that is down ends everything. */
async function priceOf(
  ctx: StatementContext,
  wanted: Wanted,
): Promise<TokenPrice | ServiceError | null> {
  try {
    return await priceToken(ctx, wanted);
  } catch (error) {
    if (error instanceof ServiceError && error.code === 'rate_not_covered') return error;
    throw error;
  }
}
