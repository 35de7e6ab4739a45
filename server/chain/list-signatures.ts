import { PAGE, type SignatureLine } from '@quittance/verify/chain/rpc-schemas';
import { ServiceError } from '@/server/errors';
import { perChain } from './per-chain';
import type { Rpc } from './rpc';

/**
 * How many transactions newer than the period are skipped, a page a call: nodes return histories from
 * the newest on, without dates.
 */
const MOST_NEWER = 100_000;

/** The instants of a search: from the first to before the second. */
export type Period = { from: Date; until: Date };

/** A search through the histories of some accounts, newest first. */
export type SignatureSearch = {
  /** Transactions of the period found so far. */
  readonly found: ReadonlyMap<string, SignatureLine>;
  isDone(): boolean;
  /** Takes one page of each account that is not done. */
  step(): Promise<void>;
  has(account: string): boolean;
  /** Searches one more account. */
  add(account: string): void;
};

/** Opens a search; nothing is asked before the first step. */
export function searchSignatures(o: {
  rpc: Rpc;
  accounts: readonly string[];
  period: Period;
}): SignatureSearch {
  const { rpc, period } = o;
  const found = new Map<string, SignatureLine>();
  const accounts = new Set(o.accounts);
  /** Oldest signature seen of each account that is not done. */
  const open = new Map<string, string | null>(o.accounts.map((account) => [account, null]));
  let newer = 0;
  const histories = recentHistories(rpc);
  /** All lines of an account so far, newest first; null when there are too many to keep. */
  const seen = new Map<string, SignatureLine[] | null>();

  const page = async (account: string, before: string | null): Promise<void> => {
    const known = before === null ? histories.get(account) : undefined;
    const asked = before === null ? { ...(known && { until: known.newest }) } : { before };
    const given = await rpc.getSignaturesForAddress(account, asked);
    // A full page need not reach the known transactions.
    const joined = known && given.length < PAGE ? known : null;
    const lines = joined ? [...unknownOf(given, joined.lines), ...joined.lines] : given;
    for (const line of lines) {
      if (isBefore(line, period.from)) continue;
      if (line.blockTime !== null && line.blockTime >= period.until) newer += 1;
      else found.set(line.signature, line);
    }
    const had = seen.get(account);
    const all = had === null ? null : together(had ?? [], lines);
    seen.set(account, all);
    const oldest = lines.at(-1);
    const isWhole = !oldest || joined?.isWhole === true;
    if (!isWhole && !isBefore(oldest, period.from)) return void open.set(account, oldest.signature);
    open.delete(account);
    if (all) histories.put(account, { lines: all, isWhole });
  };

  return {
    found,
    isDone: () => open.size === 0,
    step: async () => {
      await Promise.all([...open].map(([account, before]) => page(account, before)));
      if (newer > MOST_NEWER)
        throw new ServiceError(
          'too_many_transactions',
          `More than ${MOST_NEWER.toLocaleString('en-US')} transactions are newer than the period. Ask for a later one.`,
        );
    },
    has: (account) => accounts.has(account),
    add: (account) => {
      accounts.add(account);
      open.set(account, null);
    },
  };
}

/** Null when there are too many to keep. */
function together(some: SignatureLine[], more: SignatureLine[]): SignatureLine[] | null {
  return some.length + more.length > LONGEST_KEPT ? null : [...some, ...more];
}

/** A node that is behind what is known returns all it has. */
function unknownOf(
  given: readonly SignatureLine[],
  known: readonly SignatureLine[],
): SignatureLine[] {
  if (given.length === 0) return [];
  const signatures = new Set(known.map(({ signature }) => signature));
  return given.filter(({ signature }) => !signatures.has(signature));
}

/** Without a time of its own a transaction counts as in the period: reading it will show. */
function isBefore(line: SignatureLine, from: Date): boolean {
  return line.blockTime !== null && line.blockTime < from;
}

/** Lines kept of all histories together: about 10 MB. */
const MOST = 40_000;
/** Lines kept of one history. */
const LONGEST_KEPT = 10_000;

/** The final part of an account's history, newest first, without a gap. */
type KnownHistory = {
  lines: readonly SignatureLine[];
  /** Signature of the first of them. */
  newest: string;
  /** Whether the last of them is the first thing that happened. */
  isWhole: boolean;
};

/**
 * Histories that this process read lately, by account. Their final part never changes: asked
 * again, a node returns only what has happened since.
 */
export const recentHistories = perChain(() => {
  const kept = new Map<string, KnownHistory>();
  let size = 0;
  const drop = (account: string): void => {
    size -= kept.get(account)?.lines.length ?? 0;
    kept.delete(account);
  };
  return {
    get: (account: string) => kept.get(account),
    /**
     * Keeps what is final of all that happened from now down to some time, {@link LONGEST_KEPT} lines at most;
     * the oldest entry is dropped.
     */
    put(account: string, o: { lines: readonly SignatureLine[]; isWhole: boolean }): void {
      const lines = o.lines.slice(o.lines.findLastIndex(({ final }) => !final) + 1);
      const newest = lines[0]?.signature;
      drop(account);
      if (newest === undefined) return;
      kept.set(account, { lines, newest, isWhole: o.isWhole });
      size += lines.length;
      for (const [first] of kept) {
        if (size <= MOST) break;
        drop(first);
      }
    },
  };
});
