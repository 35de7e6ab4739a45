import { BoundedMap, perChain } from './per-chain';

/** Which wallet of a pair had less to read, and how many transactions that were. */
export type RecentSide = { wallet: string; size: number };

const MOST = 1_000;

/** What this process chose lately for pairs of wallets: asked again, one history is paged and not two. */
export const recentSides = perChain(() => new BoundedMap<string, RecentSide>(MOST));
