import { nodesBehind, type Rpc } from './rpc';
import type { SignatureLine } from './rpc-schemas';

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

type Recent = {
  get(account: string): KnownHistory | undefined;
  /** Keeps what is final of all that happened from now down to some time; the oldest kept goes. */
  put(account: string, history: { lines: readonly SignatureLine[]; isWhole: boolean }): void;
};

const byChain = new WeakMap<object, Recent>();

/**
 * Histories that this process went through lately. What is final in them never changes: asked again, a node
 * tells only what has happened since.
 */
export function recentHistories(rpc: Rpc): Recent {
  const known = byChain.get(nodesBehind(rpc));
  if (known) return known;
  const kept = new Map<string, KnownHistory>();
  let size = 0;
  const drop = (account: string): void => {
    size -= kept.get(account)?.lines.length ?? 0;
    kept.delete(account);
  };
  const made: Recent = {
    get: (account) => kept.get(account),
    put: (account, { lines: all, isWhole }) => {
      const lines = all.slice(all.findLastIndex(({ final }) => !final) + 1);
      const newest = lines[0]?.signature;
      drop(account);
      if (newest === undefined || lines.length > LONGEST_KEPT) return;
      kept.set(account, { lines, newest, isWhole });
      size += lines.length;
      for (const [oldest] of kept) {
        if (size <= MOST) break;
        drop(oldest);
      }
    },
  };
  byChain.set(nodesBehind(rpc), made);
  return made;
}
