import { nodesBehind, type Rpc } from './rpc';

/** Which wallet of a pair had less to read, and how many transactions that were. */
export type RecentSide = { wallet: string; size: number };

/** Pairs kept; the oldest goes when there are more. */
const MOST = 1_000;

type Recent = {
  get(pair: string): RecentSide | undefined;
  put(pair: string, side: RecentSide): void;
};

const byChain = new WeakMap<object, Recent>();

/** What this process chose lately for pairs of wallets: asked again, one history is paged and not two. */
export function recentSides(rpc: Rpc): Recent {
  const known = byChain.get(nodesBehind(rpc));
  if (known) return known;
  const kept = new Map<string, RecentSide>();
  const made: Recent = {
    get: (pair) => kept.get(pair),
    put: (pair, side) => {
      kept.set(pair, side);
      const [oldest] = kept.keys();
      if (kept.size > MOST && oldest !== undefined) kept.delete(oldest);
    },
  };
  byChain.set(nodesBehind(rpc), made);
  return made;
}
