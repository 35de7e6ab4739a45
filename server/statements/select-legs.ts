import { convert, LARGEST_AMOUNT, USD_DECIMALS } from '@quittance/verify/money';
import { type StatedLeg, statedLegs } from '@quittance/verify/statements/select-legs';
import { tokenByMint, type TokenEntry } from '@quittance/verify/tokens/token-table';
import type { ScannedTransaction } from '@/server/chain/scan-transactions';
import { dayOf } from '@/server/clock';
import type { ServiceContext } from '@/server/context';
import { type ErrorCode, ServiceError } from '@/server/errors';
import { priceToken, type TokenPrice } from '@/server/rates/find-rate';
import { priceScanned } from '@/server/rates/price-readings';
import { findListedReceipts } from '@/server/receipts/find-receipt';
import { type BalanceChanges, tallyChanges } from './balance-changes';
import type { ListedValue, Skipped } from './frozen-list';

/** Context to find and value the rows of a statement. */
export type StatementContext = Pick<ServiceContext, 'db' | 'env' | 'rpc' | 'clock'>;

/**
 * The rows of a statement over some transactions, the skipped legs, and the balance changes of the
 * wallet.
 */
export type Selected = {
  rows: ListedValue[];
  skipped: Skipped;
  changes: BalanceChanges;
  /** Legs that cannot be valued, in their order. */
  unvalued: Extract<Valued, { code: unknown }>[];
};

/**
 * Every leg of a wallet in transactions that are in the order of the chain. Legs that can be valued
 * and are worth at least `minMicros` are rows, all others are listed by reason. Throws
 * `rates_unavailable`.
 */
export async function selectLegs(
  ctx: StatementContext,
  o: { wallet: string; transactions: readonly ScannedTransaction[]; minMicros: bigint },
): Promise<Selected> {
  const { wallet, minMicros } = o;
  const { network } = ctx.env;
  const tally = tallyChanges(
    wallet,
    (mint) => (tokenByMint(mint, network)?.valuation ?? null) !== null,
  );
  const skips = openSkips();
  const legs: StatedLeg[] = [];
  for (const one of await priceScanned(ctx, o.transactions)) {
    const { movements } = one.reading;
    const stated = one.isFinal ? statedLegs(one, wallet) : { code: 'not_final' };
    if ('code' in stated) {
      skips.add(stated.code, one.signature);
      tally.skipAll(stated.code, movements);
      continue;
    }
    legs.push(...stated.legs);
    if (movements)
      tally.state(
        movements,
        stated.legs.map(({ leg }) => leg),
      );
  }
  const rows: ListedValue[] = [];
  const unvalued: Selected['unvalued'] = [];
  for (const [at, value] of (await valueLegs(ctx, legs)).entries()) {
    const leg = legs[at]?.leg;
    if (!leg) throw new RangeError('every value is of a leg');
    const isRow = !('code' in value) && value.usdMicros >= minMicros;
    if (isRow) {
      rows.push(value);
      continue;
    }
    if ('code' in value) unvalued.push(value);
    const reason = 'code' in value ? value.code : 'below_min_usd';
    skips.add(reason, value.signature);
    tally.skipLeg(reason, leg);
  }
  return { rows, unvalued, skipped: skips.done(), changes: tally.changes() };
}

function openSkips() {
  const skipped = new Map<string, Set<string>>();
  return {
    add(reason: string, signature: string): void {
      const known = skipped.get(reason) ?? new Set<string>();
      skipped.set(reason, known.add(signature));
    },
    done: (): Skipped =>
      Object.fromEntries(
        [...skipped]
          .map(([reason, signatures]): [string, string[]] => [reason, [...signatures]])
          .sort(([a], [b]) => (a < b ? -1 : 1)),
      ),
  };
}

/** Days whose price is read at once. */
const AT_ONCE = 6;

/** The value of a leg, or why it has none. */
export type Valued = ListedValue | { signature: string; code: ErrorCode; detail: string };

/**
 * Values legs of a wallet, in their order. The leg of a receipt has the receipt's value. Others
 * have the price of the day, looked up once a token and day. A token without valuation and a day
 * without rate are named in the row. Throws `rates_unavailable` when a source does not answer.
 */
async function valueLegs(ctx: StatementContext, legs: readonly StatedLeg[]): Promise<Valued[]> {
  const receipts = await findListedReceipts(ctx.db, [
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
      amount: leg.amount,
      decimals,
      price: price.usdPerUnit,
      toDecimals: USD_DECIMALS,
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

/** A day without a rate is named in the row. A source that is down ends everything. */
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
