import { ServiceError } from '@/server/errors';
import { listTokenAccounts, MOST_ACCOUNTS } from './list-token-accounts';
import { searchSignatures, type Period, type SignatureSearch } from './list-signatures';
import { scanTransactions, type ScanContext, type ScannedTransaction } from './scan-transactions';

export type Scan = {
  /** Every transaction of the searched accounts in the period, oldest first, by slot and signature. */
  transactions: ScannedTransaction[];
  /**
   * False when the wallet had accounts of the token that could not be searched, and when a transaction
   * could not be read (see `unreadable_transaction`): what it moved is not known.
   */
  complete: boolean;
};

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
  // Both step until one is done that has no more than what was found of the other.
  for (let steps = 0; ; steps += 1) {
    const [least, other] = [...sides].sort((a, b) => a.search.found.size - b.search.found.size);
    if (!least || !other) throw new RangeError('a pair has two sides');
    if (least.search.isDone() || least.search.found.size > limit)
      return readSide(ctx, { ...least, limit, period });
    // Going through what the busier one did since the period has cost as much as reading this one will.
    const isCheaper = other.search.isDone() && other.search.found.size <= Math.min(limit, steps);
    if (isCheaper) return readSide(ctx, { ...other, limit, period });
    try {
      await Promise.all(
        sides.filter((side) => !side.search.isDone()).map(({ search }) => search.step()),
      );
    } catch (error) {
      const isTooFar = error instanceof ServiceError && error.code === 'too_many_transactions';
      if (!isTooFar || !other.search.isDone() || other.search.found.size > limit) throw error;
      return readSide(ctx, { ...other, limit, period });
    }
  }
}

type OpenSide = Side & { search: SignatureSearch; all: boolean };

async function openSide(ctx: ScanContext, side: Side, period: Period): Promise<OpenSide> {
  const { accounts, all } = await listTokenAccounts(ctx.rpc, side);
  return { ...side, search: searchSignatures({ rpc: ctx.rpc, accounts, period }), all };
}

/**
 * Reads what a search found. A transaction may name another account of the wallet, one that is closed
 * today: its history is searched too.
 */
async function readSide(
  ctx: ScanContext,
  o: OpenSide & { period: Period; limit: number },
): Promise<Scan> {
  const { search, wallet, mint, limit } = o;
  const read = new Map<string, ScannedTransaction>();
  let complete = o.all;
  let more = 0;
  for (;;) {
    while (!search.isDone() && search.found.size <= limit) await search.step();
    if (search.found.size > limit) throw tooMany(wallet, o.period, limit);
    const unread = [...search.found.values()].filter(({ signature }) => !read.has(signature));
    for (const one of await scanTransactions(ctx, unread)) {
      read.set(one.signature, one);
      if (!one.reading.ok && one.reading.code === 'unreadable_transaction') complete = false;
      for (const { account, ...of } of one.tokenAccounts ?? []) {
        if (of.owner !== wallet || of.mint !== mint || search.has(account)) continue;
        more += 1;
        if (more > MOST_ACCOUNTS) complete = false;
        else search.add(account);
      }
    }
    if (search.isDone()) break;
  }
  const { from, until } = o.period;
  const transactions = [...read.values()]
    .filter(({ blockTime: at }) => at === null || (at >= from && at < until))
    .sort(byAge);
  return { transactions, complete };
}

function tooMany(wallet: string, { from, until }: Period, limit: number): ServiceError {
  const most = limit.toLocaleString('en-US');
  return new ServiceError(
    'too_many_transactions',
    `${wallet} has more than ${most} transactions from ${from.toISOString()} to ${until.toISOString()}; at most ${most} are read. Ask for a shorter period.`,
    { details: { limit } },
  );
}

function byAge(a: ScannedTransaction, b: ScannedTransaction): number {
  const [one, other] = [a.slot ?? 0n, b.slot ?? 0n];
  if (one !== other) return one < other ? -1 : 1;
  return a.signature < b.signature ? -1 : 1;
}
