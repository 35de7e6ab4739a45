import { setTimeout as sleep } from 'node:timers/promises';
import { networkOf } from '@/server/ip-address';
import type { FeeReading } from './read-fee-payment';

/** How long a payment that no node knows is looked for, and how often. */
const PATIENCE_MS = 10_000;
const PAUSE_MS = 1_000;
/** Waits at once of one client address, and of all in this process: each costs a node ten looks. */
const MOST_WAITS_OF_CLIENT = 2;
const MOST_WAITS = 50;

const waits = new Map<string, number>();

/**
 * Looks for a payment until it is there or 10 s are over. A client with two such waits already, or any
 * client of a process with too many, gets one look alone.
 */
export async function awaitFeePayment(o: {
  /** Client address; those of one IPv6 network count as one, and clients without one share it. */
  client: string;
  look: () => Promise<FeeReading>;
}): Promise<FeeReading> {
  const client = networkOf(o.client);
  const first = await o.look();
  if (first.state !== 'absent' || !enter(client)) return first;
  const end = performance.now() + PATIENCE_MS;
  try {
    while (performance.now() + PAUSE_MS <= end) {
      await sleep(PAUSE_MS);
      const seen = await o.look();
      if (seen.state !== 'absent') return seen;
    }
    return first;
  } finally {
    leave(client);
  }
}

function enter(client: string): boolean {
  const own = waits.get(client) ?? 0;
  const all = [...waits.values()].reduce((sum, count) => sum + count, 0);
  if (own >= MOST_WAITS_OF_CLIENT || all >= MOST_WAITS) return false;
  waits.set(client, own + 1);
  return true;
}

function leave(client: string): void {
  const left = (waits.get(client) ?? 1) - 1;
  if (left > 0) waits.set(client, left);
  else waits.delete(client);
}
