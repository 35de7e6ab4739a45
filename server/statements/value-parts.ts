import type { Transfer } from '@/server/chain/transfer';
import { ServiceError, type ErrorCode } from '@/server/errors';
import { dayOf } from '@/server/rates/day';
import { priceToken, type TokenPrice } from '@/server/rates/price-token';
import { findReceiptBriefs } from '@/server/receipts/find-receipt-briefs';
import { fitsDatabase, valueAt } from '@/server/receipts/value-transfer';
import { tokenByMint, type TokenEntry } from '@/server/tokens/token-table';
import type { ListedValue } from './frozen-list';
import type { StatementContext } from './statement-context';
import type { Part } from './statement-row';

/** Days whose price is asked for at once. */
const AT_ONCE = 6;

export type PartOfTransfer = { transfer: Transfer; part: Part };
/** The value of a part, or why it has none. */
export type Valued = ListedValue | { signature: string; code: ErrorCode; detail: string };

/**
 * Values what a wallet had of each transfer, in their order: as its receipt says where there is one, else
 * at the price of its day, looked up once a token and day. A token without valuation and a day without
 * rate are told in the row; throws `rates_unavailable` when a source does not answer.
 */
export async function valueParts(
  ctx: StatementContext,
  parts: readonly PartOfTransfer[],
): Promise<Valued[]> {
  const receipts = await findReceiptBriefs(
    ctx.db,
    parts.map(({ transfer }) => transfer.signature),
  );
  const open = parts.flatMap(({ transfer }) => {
    const token = tokenByMint(transfer.mint, ctx.env.network);
    return token && token.valuation !== null ? [{ token, day: dayOf(transfer.blockTime) }] : [];
  });
  const prices = await pricesOf(ctx, open);
  return parts.map(({ transfer, part }) => {
    const { signature, mint } = transfer;
    const receipt = receipts.get(signature);
    // Of what a receiver beside the main one got, the receipt tells no value.
    if (receipt && part.amountRaw === transfer.amount)
      return { signature, usdMicros: receipt.usdMicros, valuation: receipt.valuation };
    const token = tokenByMint(mint, ctx.env.network);
    const price = token && prices.get(keyOf({ token, day: dayOf(transfer.blockTime) }));
    if (!token || !price)
      return refused(signature, 'unsupported_token', `mint ${mint ?? 'native SOL'} has no value`);
    if (price instanceof ServiceError) return refused(signature, price.code, price.message);
    if (!fitsDatabase(transfer))
      return refused(signature, 'unsupported_token', 'the amount is larger than any real supply');
    const { usdMicros, valuation } = valueAt({
      transfer: { ...transfer, amount: part.amountRaw },
      token,
      price,
    });
    return { signature, usdMicros, valuation };
  });
}

function refused(signature: string, code: ErrorCode, detail: string): Valued {
  return { signature, code, detail };
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
