import { ServiceError } from '@/server/errors';
import { listTokenAccounts } from './list-token-accounts';
import { searchSignatures, type Period, type SignatureSearch } from './list-signatures';
import { readHistory, type Scan } from './read-history';
import { recentSides, type RecentSide } from './recent-sides';
import { PAGE } from '@quittance/verify/chain/rpc-schemas';
import type { ScanContext } from './scan-transactions';

type Side = { wallet: string; mint: string };

type Pair = { wallets: readonly [string, string]; mint: string; period: Period; limit: number };

/**
 * Reads what happened between two wallets in one token: all of the one that has less of it in the period,
 * as a transfer between them is in the histories of both. Asked again, it begins with the same one.
 */
export async function scanPair(ctx: ScanContext, o: Pair): Promise<Scan> {
  const { limit, period } = o;
  const last = recentSides(ctx.rpc);
  const key = [...[...o.wallets].sort(), o.mint, period.from, period.until].join();
  const known = last.get(key);
  const opened = new Map<string, Promise<OpenSide>>();
  const open = (wallet: string) => {
    const side = opened.get(wallet) ?? openSide(ctx, { wallet, mint: o.mint }, period);
    opened.set(wallet, side);
    return side;
  };
  const chosen =
    (known && (await again(await open(known.wallet), known))) ?? (await choose(o, open));
  const size = chosen.search.found.size;
  if (size <= limit) last.set(key, { wallet: chosen.wallet, size });
  const { mint, ...side } = chosen;
  return readHistory(ctx, { ...side, mints: new Set([mint]), limit, period, withFees: false });
}

/** Pages of a history that are passed over on the way to what was read the last time. */
const FEW_PAGES = 3;

/** The side that was read the last time, if no more is to be gone through than twice as much. */
async function again(side: OpenSide, { size }: RecentSide): Promise<OpenSide | null> {
  const { search } = side;
  const [most, pages] = [2 * size, FEW_PAGES + (2 * size) / PAGE];
  for (let n = 0; n < pages && !search.isDone() && search.found.size <= most; n += 1)
    await search.step();
  return search.isDone() && search.found.size <= most ? side : null;
}

async function choose(o: Pair, open: (wallet: string) => Promise<OpenSide>): Promise<OpenSide> {
  const { limit } = o;
  const sides = await Promise.all(o.wallets.map(open));
  // Both step until one is done that has no more than what was found of the other.
  for (let steps = 0; ; steps += 1) {
    const [least, other] = [...sides].sort((a, b) => a.search.found.size - b.search.found.size);
    if (!least || !other) throw new RangeError('a pair has two sides');
    if (least.search.isDone() || least.search.found.size > limit) return least;
    // Going through what the busier one did since the period has cost as much as reading this one will.
    const isCheaper = other.search.isDone() && other.search.found.size <= Math.min(limit, steps);
    if (isCheaper) return other;
    try {
      await Promise.all(
        sides.filter((side) => !side.search.isDone()).map(({ search }) => search.step()),
      );
    } catch (error) {
      const isTooFar = error instanceof ServiceError && error.code === 'too_many_transactions';
      if (!isTooFar || !other.search.isDone() || other.search.found.size > limit) throw error;
      return other;
    }
  }
}

type OpenSide = Side & { search: SignatureSearch; all: boolean };

async function openSide(ctx: ScanContext, side: Side, period: Period): Promise<OpenSide> {
  const { accounts, all } = await listTokenAccounts(ctx.rpc, side);
  return { ...side, search: searchSignatures({ rpc: ctx.rpc, accounts, period }), all };
}
