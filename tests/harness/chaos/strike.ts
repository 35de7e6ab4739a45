import { setTimeout as sleep } from 'node:timers/promises';
import { VICTIMS, type Blow, type Victim } from './plan-blows';

/** A part that is killed and brought back. `start` may fail if another part is down. */
export type Target = { kill(): Promise<void>; start(): Promise<void> };

/** Longest time a part may take to come back when the others are up. */
const PATIENCE_MS = 120_000;

/**
 * Kills the parts of each blow at once with SIGKILL, and restarts them during the next blows. No
 * blow falls after `untilMs` (ms since 1970). Returns how often each part was killed, when all are
 * back.
 */
export async function strike(
  targets: Record<Victim, Target>,
  o: { blows: Iterable<Blow>; untilMs: number; say(line: string): void },
): Promise<Record<Victim, number>> {
  const back = new Map<Victim, Promise<void>>();
  const kills = new Map<Victim, number>();
  for (const { pauseMs, victims, downMs } of o.blows) {
    if (Date.now() + pauseMs > o.untilMs) break;
    await sleep(pauseMs);
    await Promise.all(victims.map((victim) => back.get(victim)));
    await Promise.all(victims.map((victim) => targets[victim].kill()));
    o.say(`killed ${victims.join(' and ')}`);
    for (const victim of victims) {
      kills.set(victim, (kills.get(victim) ?? 0) + 1);
      const revival = sleep(downMs).then(() => revive(victim, targets[victim]));
      // Awaited before the part's next kill and at the end. Until then its failure counts as
      // handled.
      revival.catch(() => undefined);
      back.set(victim, revival);
    }
  }
  await Promise.all(back.values());
  return tally(kills);
}

function tally(kills: ReadonlyMap<Victim, number>): Record<Victim, number> {
  const counts = {
    app: 0,
    'second app': 0,
    runner: 0,
    database: 0,
    chain: 0,
    storage: 0,
    history: 0,
  };
  for (const victim of VICTIMS) counts[victim] = kills.get(victim) ?? 0;
  return counts;
}

async function revive(name: Victim, target: Target): Promise<void> {
  const deadline = Date.now() + PATIENCE_MS;
  for (;;) {
    try {
      return await target.start();
    } catch (error) {
      if (Date.now() > deadline) throw new Error(`${name} does not come back`, { cause: error });
      await sleep(300);
    }
  }
}
