import { setTimeout as sleep } from 'node:timers/promises';
import { DATABASE_RETRY_MS, driveRun } from './drive-run';
import { claimRuns, findLost, nextDueMs, releaseLeases, renewLeases } from './claim-runs';
import { fireCrons } from './fire-crons';
import { lostTry } from './read-answer';
import type { Runner } from './runner';
import { settleCall } from './settle-call';

/** Longest time between two reads of the queue, of crons and of lost leases. */
const TICK_MS = 1000;
/** The real server keeps an event id and its result for a day. */
const RETENTION = '24 hours';
const PRUNE_MS = 60_000;

/** Starts taking runs from the queue. `stop` lets calls in flight end, then releases the others. */
export function startWork(runner: Runner): { stop(): Promise<void> } {
  const inFlight = new Map<string, Promise<void>>();
  let wakeUp: () => void = () => undefined;
  let woken = false;
  runner.wake = () => {
    woken = true;
    wakeUp();
  };
  const renewal = setInterval(() => {
    renewLeases(runner, [...inFlight.keys()]).catch((error: unknown) =>
      runner.log(`leases not renewed: ${String(error)}`),
    );
  }, runner.leaseMs / 3);

  const take = async () => {
    const free = runner.concurrency - inFlight.size;
    if (free <= 0 || runner.faults.paused) return TICK_MS;
    if (runner.awayUntil > Date.now()) return runner.awayUntil - Date.now();
    for (const lease of await claimRuns(runner, free)) {
      const ended = () => {
        inFlight.delete(lease.id);
        runner.wake();
      };
      inFlight.set(lease.id, driveRun(runner, lease).finally(ended));
    }
    return Math.min((await nextDueMs(runner)) ?? TICK_MS, TICK_MS);
  };

  const loop = async () => {
    let ticked = 0;
    let pruned = 0;
    while (!runner.stopping) {
      let pauseMs: number = DATABASE_RETRY_MS;
      woken = false;
      try {
        if (Date.now() - ticked >= TICK_MS) {
          ticked = Date.now();
          await fireCrons(runner);
          for (const lease of await findLost(runner, [...inFlight.keys()]))
            await settleCall(runner, lease, lostTry('the runner stopped during this attempt'));
        }
        if (Date.now() - pruned >= PRUNE_MS) {
          pruned = Date.now();
          await runner.pool.query(
            `delete from runner.runs where ended_at < now() - interval '${RETENTION}'`,
          );
        }
        pauseMs = await take();
      } catch (error) {
        runner.log(`queue not read: ${String(error)}`);
        await sleep(DATABASE_RETRY_MS);
      }
      if (woken || runner.stopping) continue;
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, Math.ceil(pauseMs));
        wakeUp = () => {
          clearTimeout(timer);
          resolve();
        };
      });
    }
  };
  const looping = loop();

  return {
    async stop() {
      runner.stopping = true;
      runner.wake();
      await looping;
      await Promise.race([
        Promise.all(inFlight.values()),
        sleep(runner.graceMs, undefined, { ref: false }),
      ]);
      clearInterval(renewal);
      runner.cut.abort();
      await Promise.all(inFlight.values());
      await releaseLeases(runner).catch((error: unknown) =>
        runner.log(`leases not released: ${String(error)}`),
      );
    },
  };
}
