import { perChain } from './per-chain';
import type { SignatureLine } from '@quittance/verify/chain/rpc-schemas';

/** Lines kept of all histories together: about 10 MB. */
const MOST = 40_000;
/** Lines kept of one history. */
export const LONGEST_KEPT = 10_000;

/** The final part of an account's history, newest first, without a gap. */
type KnownHistory = {
  lines: readonly SignatureLine[];
  /** Signature of the first of them. */
  newest: string;
  /** Whether the last of them is the first thing that happened. */
  isWhole: boolean;
};

/**
 * Histories that this process went through lately, by account. What is final in them never changes: asked
 * again, a node tells only what has happened since.
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
     * what was kept first goes.
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
