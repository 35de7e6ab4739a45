import { BoundedMap, perChain } from './per-chain';
import type { FinalReading } from './stored-reading';

/** About 15 MB of readings: two listings of the largest size. */
const MOST = 10_000;

/**
 * Readings of final transactions that this process came across lately, by signature. They never change, and
 * are otherwise taken from the database: which costs more, for a thousand of them, than all else a listing
 * does.
 */
export const recentReadings = perChain(() => new BoundedMap<string, FinalReading>(MOST));
