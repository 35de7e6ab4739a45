import { ServiceError } from '@/server/errors';
import { listTokenAccounts } from './list-token-accounts';
import { searchSignatures, type Period, type SignatureSearch } from './list-signatures';
import { readHistory, type Scan } from './read-history';
import type { ScanContext } from './scan-transactions';

type Side = { wallet: string; mint: string };

/**
 * Reads what happened between two wallets in one token: all of the one that has less of it in the period,
 * as a transfer between them is in the histories of both.
 */
export async function scanPair(
  ctx: ScanContext,
  o: { wallets: readonly [string, string]; mint: string; period: Period; limit: number },
): Promise<Scan> {
  const { period, limit } = o;
  const open = (wallet: string) => openSide(ctx, { wallet, mint: o.mint }, period);
  const sides = await Promise.all(o.wallets.map(open));
  const read = ({ mint, ...side }: OpenSide) =>
    readHistory(ctx, { ...side, mints: new Set([mint]), limit, period });
  // Both step until one is done that has no more than what was found of the other.
  for (let steps = 0; ; steps += 1) {
    const [least, other] = [...sides].sort((a, b) => a.search.found.size - b.search.found.size);
    if (!least || !other) throw new RangeError('a pair has two sides');
    if (least.search.isDone() || least.search.found.size > limit) return read(least);
    // Going through what the busier one did since the period has cost as much as reading this one will.
    const isCheaper = other.search.isDone() && other.search.found.size <= Math.min(limit, steps);
    if (isCheaper) return read(other);
    try {
      await Promise.all(
        sides.filter((side) => !side.search.isDone()).map(({ search }) => search.step()),
      );
    } catch (error) {
      const isTooFar = error instanceof ServiceError && error.code === 'too_many_transactions';
      if (!isTooFar || !other.search.isDone() || other.search.found.size > limit) throw error;
      return read(other);
    }
  }
}

type OpenSide = Side & { search: SignatureSearch; all: boolean };

async function openSide(ctx: ScanContext, side: Side, period: Period): Promise<OpenSide> {
  const { accounts, all } = await listTokenAccounts(ctx.rpc, side);
  return { ...side, search: searchSignatures({ rpc: ctx.rpc, accounts, period }), all };
}
