import { PAGE } from '@quittance/verify/chain/rpc-schemas';
import { ServiceError } from '@/server/errors';
import { inChainOrder } from './chain-order';
import { type Period, searchSignatures, type SignatureSearch } from './list-signatures';
import { BoundedMap, perChain } from './per-chain';
import { type ScanContext, type ScannedTransaction, scanTransactions } from './scan-transactions';
import { listTokenAccounts, MOST_ACCOUNTS } from './token-accounts';

/**
 * Reads everything that happened to a wallet and to its accounts of some tokens in a period,
 * including the fees of failed transactions. The wallet's own history holds payments in SOL and
 * everything that it signed. The histories of its token accounts hold payments from others, which
 * name only the account. Throws 400 past `limit` transactions, and RpcUnavailable when the chain
 * does not answer. Readings are kept, so the next scan continues from there.
 */
export async function scanWallet(
  ctx: ScanContext,
  o: { wallet: string; mints: readonly string[]; period: Period; limit: number },
): Promise<Scan> {
  const { wallet, period, limit } = o;
  const ofMints = await Promise.all(
    o.mints.map((mint) => listTokenAccounts(ctx.rpc, { wallet, mint })),
  );
  const accounts = [wallet, ...new Set(ofMints.flatMap(({ accounts }) => accounts))];
  return readHistory(ctx, {
    search: searchSignatures({ rpc: ctx.rpc, accounts, period }),
    all: ofMints.every(({ all }) => all),
    mints: new Set(o.mints),
    wallet,
    period,
    limit,
    withFees: true,
  });
}

type Side = { wallet: string; mint: string };

type Pair = { wallets: readonly [string, string]; mint: string; period: Period; limit: number };

/**
 * Reads what happened between two wallets in one token. A transfer between them is in both
 * histories. So it reads the whole history of the wallet that has less of the token in the period.
 * A repeat begins with the same wallet.
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

/** Pages of a history that are skipped on the way to what was read the last time. */
const FEW_PAGES = 3;

/** The side that was read the last time, unless that means more than twice as many transactions. */
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
    // Paging the busier history back to the period has cost as much as reading this one will.
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

/** Which wallet of a pair had less to read, and how many transactions that were. */
export type RecentSide = { wallet: string; size: number };

const MOST = 1_000;

/**
 * The sides that this process chose lately for pairs of wallets. A repeat pages one history instead
 * of two.
 */
const recentSides = perChain(() => new BoundedMap<string, RecentSide>(MOST));

export type Scan = {
  /** Every transaction of the searched accounts in the period, oldest first, in the order of the chain. */
  transactions: ScannedTransaction[];
  /**
   * False when token accounts of the wallet could not be searched, or a transaction could not be
   * read (see `unreadable_transaction`): its movements are unknown.
   */
  complete: boolean;
};

/**
 * Reads what a search through accounts of a wallet finds. A transaction may name another account of the
 * wallet, one that is closed today: its history is searched too. Throws 400 past `limit` transactions.
 */
async function readHistory(
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
