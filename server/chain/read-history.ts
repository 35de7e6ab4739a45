import { ServiceError } from '@/server/errors';
import { inChainOrder } from './chain-order';
import { MOST_ACCOUNTS } from './list-token-accounts';
import type { Period, SignatureSearch } from './list-signatures';
import { scanTransactions, type ScanContext, type ScannedTransaction } from './scan-transactions';

export type Scan = {
  /** Every transaction of the searched accounts in the period, oldest first, in the order of the chain. */
  transactions: ScannedTransaction[];
  /**
   * False when the wallet had token accounts that could not be searched, and when a transaction could
   * not be read (see `unreadable_transaction`): what it moved is not known.
   */
  complete: boolean;
};

/**
 * Reads what a search through accounts of a wallet finds. A transaction may name another account of the
 * wallet, one that is closed today: its history is searched too. Throws 400 past `limit` transactions.
 */
export async function readHistory(
  ctx: ScanContext,
  o: {
    search: SignatureSearch;
    /** Whether the search begins with all open accounts. */
    all: boolean;
    wallet: string;
    mints: ReadonlySet<string>;
    period: Period;
    limit: number;
    /** Whether fees of failed transactions matter: they are read then. */
    withFees: boolean;
  },
): Promise<Scan> {
  const { search, wallet, mints, limit } = o;
  const read = new Map<string, ScannedTransaction>();
  let complete = o.all;
  let more = 0;
  for (;;) {
    while (!search.isDone() && search.found.size <= limit) await search.step();
    if (search.found.size > limit) throw tooMany(wallet, o.period, limit);
    const unread = [...search.found.values()].filter(({ signature }) => !read.has(signature));
    for (const one of await scanTransactions(ctx, unread, o)) {
      read.set(one.signature, one);
      if (!one.reading.ok && one.reading.code === 'unreadable_transaction') complete = false;
      for (const { account, ...of } of one.tokenAccounts ?? []) {
        if (of.owner !== wallet || !mints.has(of.mint) || search.has(account)) continue;
        more += 1;
        if (more > MOST_ACCOUNTS) complete = false;
        else search.add(account);
      }
    }
    if (search.isDone()) break;
  }
  const { from, until } = o.period;
  const inPeriod = [...read.values()].filter(
    ({ blockTime: at }) => at === null || (at >= from && at < until),
  );
  return { transactions: await inChainOrder(ctx.rpc, inPeriod), complete };
}

function tooMany(wallet: string, { from, until }: Period, limit: number): ServiceError {
  const most = limit.toLocaleString('en-US');
  return new ServiceError(
    'too_many_transactions',
    `${wallet} has more than ${most} transactions from ${from.toISOString()} to ${until.toISOString()}; at most ${most} are read. Ask for a shorter period.`,
    { details: { limit } },
  );
}
