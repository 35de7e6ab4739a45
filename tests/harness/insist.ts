import { setTimeout as sleep } from 'node:timers/promises';

const PAUSE_MS = 250;

/**
 * Repeats a call that may fail when parts are down, until it returns something other than null.
 * Throws, with the last error, after `patienceMs`.
 */
export async function insist<T>(
  what: string,
  patienceMs: number,
  work: () => Promise<T | null>,
): Promise<T> {
  const deadline = Date.now() + patienceMs;
  let last: unknown = 'nothing came';
  for (;;) {
    try {
      const result = await work();
      if (result !== null) return result;
    } catch (error) {
      last = error;
    }
    if (Date.now() > deadline) throw new Error(`${what}: ${String(last)}`, { cause: last });
    await sleep(PAUSE_MS);
  }
}
