import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';

const answer = z.object({
  degraded: z.array(z.string()),
  parts: z.record(z.string(), z.object({ ok: z.boolean(), detail: z.string() })),
});

/**
 * Returns when GET /health names no missing part. Prints the missing part, again whenever that
 * changes. Throws after `timeoutMs` (without it, waits for ever), or when `signal` aborts.
 */
export async function awaitHealth(o: {
  /** The app's address on this machine. */
  origin: string;
  timeoutMs?: number;
  /** Prints nothing for this long, because a start takes some time. */
  patienceMs?: number;
  say(line: string): void;
  signal?: AbortSignal;
}): Promise<void> {
  const started = Date.now();
  let said = '';
  for (;;) {
    o.signal?.throwIfAborted();
    const missing = await readHealth(o.origin);
    if (missing === null) return;
    const waitedMs = Date.now() - started;
    if (o.timeoutMs !== undefined && waitedMs > o.timeoutMs)
      throw new Error(
        `The service is not ready after ${Math.round(waitedMs / 1000)} s: ${missing}`,
      );
    if (missing !== said && waitedMs > (o.patienceMs ?? 5_000)) {
      o.say(`waiting for ${missing}`);
      said = missing;
    }
    await sleep(250);
  }
}

/** Null when healthy, else the missing part. */
async function readHealth(origin: string): Promise<string | null> {
  try {
    const response = await fetch(`${origin}/health`, { signal: AbortSignal.timeout(10_000) });
    const parsed = answer.safeParse(await response.json());
    if (!parsed.success) return `the app (answers ${response.status})`;
    if (response.status === 200 && parsed.data.degraded.length === 0) return null;
    return Object.entries(parsed.data.parts)
      .filter(([, part]) => !part.ok)
      .map(([name, part]) => `${name} (${part.detail})`)
      .join(', ');
  } catch {
    return 'the app';
  }
}
