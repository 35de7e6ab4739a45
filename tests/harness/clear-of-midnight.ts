import { setTimeout as sleep } from 'node:timers/promises';

const DAY_MS = 86_400_000;
/** Longer than a test whose counts belong to one day takes, on a slow machine too. */
const MARGIN_MS = 60_000;

/** Waits until midnight of UTC has passed when it is near, for a test that must not span it. */
export async function clearOfMidnight(): Promise<void> {
  const leftMs = DAY_MS - (Date.now() % DAY_MS);
  if (leftMs < MARGIN_MS) await sleep(leftMs + 1_000);
}
