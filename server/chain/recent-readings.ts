import { nodesBehind, type Rpc } from './rpc';
import type { FinalReading } from './stored-reading';

/** About 15 MB of readings: two listings of the largest size. */
const MOST = 10_000;

type Recent = {
  get(signature: string): FinalReading | undefined;
  /** Keeps what is final; the oldest goes when there are too many. */
  put(reading: FinalReading): void;
};

const byChain = new WeakMap<object, Recent>();

/**
 * Readings of final transactions that this process came across lately. They never change, and are otherwise
 * taken from the database: which costs more, for a thousand of them, than all else a listing does.
 */
export function recentReadings(rpc: Rpc): Recent {
  const known = byChain.get(nodesBehind(rpc));
  if (known) return known;
  const kept = new Map<string, FinalReading>();
  const made: Recent = {
    get: (signature) => kept.get(signature),
    put: (reading) => {
      kept.set(reading.signature, reading);
      const [oldest] = kept.keys();
      if (kept.size > MOST && oldest !== undefined) kept.delete(oldest);
    },
  };
  byChain.set(nodesBehind(rpc), made);
  return made;
}
