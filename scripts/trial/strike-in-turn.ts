import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import { startLoad, type Seen } from './load';
import type { Trial } from './start-trial';

/** How long a part stays down. */
const AWAY_MS = 8_000;
const CALM_MS = 5_000;
const RECOVERY_MS = 180_000;

const health = z.object({ degraded: z.array(z.string()) });

/**
 * Kills and restarts each part in turn under load. Prints the clients' results from the kill until
 * everything was healthy again. Throws when the service does not recover, when a payment buys
 * nothing, or when an accepted receipt gets no NFT.
 */
export async function strikeInTurn(trial: Trial, say: (line: string) => void): Promise<void> {
  const load = startLoad(trial);
  let sold: string[] = [];
  say('part            | asked | longest wait | recovered after | reads | sales | paid');
  try {
    await sleep(CALM_MS);
    say(line('nothing', load.take(), 0));
    for (const [name, target] of Object.entries(trial.targets)) {
      const struck = performance.now();
      await target.kill();
      await sleep(AWAY_MS);
      await target.start();
      const restarted = performance.now();
      await untilHealthy(trial.baseUrl);
      const recoveredMs = performance.now() - restarted;
      await sleep(CALM_MS);
      say(line(name, load.take(), recoveredMs));
      if (performance.now() - struck > RECOVERY_MS) throw new Error(`${name} took too long`);
    }
  } finally {
    sold = await load.end();
    say(`${sold.length} receipts were taken under load`);
  }
  await everyOneMinted(trial.baseUrl, sold);
  say('each of them has its NFT');
}

function line(name: string, seen: Seen, recoveredMs: number): string {
  const seconds = (ms: number) => `${(ms / 1000).toFixed(1)} s`;
  const counts = (of: Map<string, number>) =>
    [...of].map(([status, count]) => `${status}: ${count}`).join(', ');
  return [
    name.padEnd(15),
    String(seen.asked).padEnd(5),
    seconds(seen.longestMs).padEnd(12),
    seconds(recoveredMs).padEnd(15),
    counts(seen.reads),
    counts(seen.sales),
    counts(seen.paid),
  ].join(' | ');
}

async function untilHealthy(baseUrl: string): Promise<void> {
  const begun = performance.now();
  for (let last = ''; ; await sleep(500)) {
    try {
      const answer = await fetch(`${baseUrl}/health`, { signal: AbortSignal.timeout(15_000) });
      last = await answer.text();
      if (answer.status === 200 && health.parse(JSON.parse(last)).degraded.length === 0) return;
    } catch (error) {
      last = String(error);
    }
    if (performance.now() - begun > RECOVERY_MS) throw new Error(`not healthy again: ${last}`);
  }
}

async function everyOneMinted(baseUrl: string, ids: string[]): Promise<void> {
  const status = z.object({ mint_status: z.string() });
  const begun = performance.now();
  for (const id of ids)
    for (;;) {
      const answer = await fetch(`${baseUrl}/mint/status/${id}?wait=5`);
      const now = status.safeParse(await answer.json()).data?.mint_status ?? 'unknown';
      if (now === 'completed') break;
      if (now === 'failed' || performance.now() - begun > RECOVERY_MS)
        throw new Error(`${id} is ${now}`);
    }
}
