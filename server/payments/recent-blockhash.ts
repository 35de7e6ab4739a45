import { perChain } from '@/server/chain/per-chain';
import type { Rpc } from '@/server/chain/rpc';

export type RecentBlockhash = { blockhash: string; lastValidBlockHeight: bigint };

/** A new one is asked for at most so often, however many quotes are given. */
const REFRESH_MS = 10_000;
/** Older ones leave a client too little of the 60 s and more that a blockhash lives. */
const USABLE_MS = 20_000;
/** What the first quote after a quiet time may wait for a node. */
const PATIENCE_MS = 400;

type Entry = { at: number; askedAt: number; value: RecentBlockhash | null; asked: Promise<void> };
const entryOf = perChain((): Entry => ({
  at: Number.NEGATIVE_INFINITY,
  askedAt: Number.NEGATIVE_INFINITY,
  value: null,
  asked: Promise.resolve(),
}));

/**
 * A blockhash for clients that pay without a node of their own, or null while there is no fresh one: a
 * quote never fails for want of it.
 */
export async function recentBlockhash(rpc: Rpc): Promise<RecentBlockhash | null> {
  const entry = entryOf(rpc);
  if (performance.now() - entry.askedAt > REFRESH_MS) {
    entry.askedAt = performance.now();
    entry.asked = refresh(rpc, entry);
  }
  if (!isUsable(entry)) await Promise.race([entry.asked, pause()]);
  return isUsable(entry) ? entry.value : null;
}

function isUsable(entry: Entry): boolean {
  return performance.now() - entry.at <= USABLE_MS;
}

async function refresh(rpc: Rpc, entry: Entry): Promise<void> {
  const asked = performance.now();
  try {
    entry.value = await rpc.getLatestBlockhash();
    entry.at = asked;
  } catch {
    // The quote goes out without one, and the next refresh tries again.
  }
}

function pause(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, PATIENCE_MS).unref());
}
