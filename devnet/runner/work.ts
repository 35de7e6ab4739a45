import { setTimeout as sleep } from 'node:timers/promises';
import { callApp } from './call-app';
import { claimRuns, findLost, nextDueMs, releaseLeases, renewLeases } from './claim-runs';
import { fireCrons } from './fire-crons';
import { lostTry, readAnswer, readFailure, type Outcome } from './read-answer';
import type { Runner } from './runner';
import { settleCall } from './settle-call';
import type { Lease } from './store';

/** The longest the queue is not looked at; also how often crons and lost leases are. */
const TICK_MS = 1000;
/** How long calls in flight may take to end at shutdown. */
const GRACE_MS = 5000;
const DATABASE_RETRY_MS = 200;
/** The real server keeps an event id, and what came of it, for a day. */
const RETENTION = '24 hours';
const PRUNE_MS = 60_000;
/** Above this the real server makes the app fetch the state instead, which is not done here. */
const MAX_STATE_BYTES = 4 * 1024 * 1024;

/** Starts taking runs from the queue. `stop` lets calls in flight end, then gives back the rest. */
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
    for (const lease of await claimRuns(runner, free)) {
      const ended = () => {
        inFlight.delete(lease.id);
        runner.wake();
      };
      inFlight.set(lease.id, drive(runner, lease).finally(ended));
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
        sleep(GRACE_MS, undefined, { ref: false }),
      ]);
      clearInterval(renewal);
      runner.cut.abort();
      await Promise.all(inFlight.values());
      await releaseLeases(runner).catch((error: unknown) =>
        runner.log(`leases not given back: ${String(error)}`),
      );
    },
  };
}

/** Makes the calls of one leased run until it has to wait, ends, or the runner stops. */
async function drive(runner: Runner, first: Lease): Promise<void> {
  for (let lease: Lease | null = first; lease;) {
    const current: Lease = lease;
    const outcome = await insist(runner, () => call(runner, current));
    if (!outcome) return;
    lease = await insist(runner, () => settleCall(runner, current, outcome));
  }
}

/**
 * Repeats database work until it is done: what a step gave must outlive a restart of the database, and
 * the lease is ours until it is saved. Null when the runner stops.
 */
async function insist<T>(runner: Runner, work: () => Promise<T>): Promise<T | null> {
  for (;;) {
    try {
      return await work();
    } catch (error) {
      runner.log(`database: ${String(error)}`);
      if (runner.cut.signal.aborted) return null;
      await sleep(DATABASE_RETRY_MS);
    }
  }
}

/** One call of the app. Rejects only when the database fails; null when the runner stopped meanwhile. */
async function call(runner: Runner, lease: Lease): Promise<Outcome | null> {
  const { rows } = await runner.pool.query<{ id: string; value: unknown }>(
    'select id, value from runner.steps where run_id = $1 order by seq',
    [lease.id],
  );
  const event = { ...lease.event, data: lease.event.data ?? {}, user: lease.event.user ?? {} };
  const body = {
    event,
    events: [event],
    steps: Object.fromEntries(rows.map((row) => [row.id, row.value])),
    ctx: {
      run_id: lease.id,
      attempt: lease.attempt,
      max_attempts: runner.functions?.get(lease.fn_id)?.maxAttempts,
      disable_immediate_execution: false,
      use_api: false,
      env: '',
      step_id: 'step',
      stack: { stack: rows.map((row) => row.id), current: rows.length },
      // Without fn_id the SDK runs one step a call.
      ...(runner.checkpointing && { fn_id: lease.fn_id, qi_id: lease.id }),
    },
    version: 2,
    use_api: false,
    defers: {},
  };
  if (JSON.stringify(body).length > MAX_STATE_BYTES) {
    const error = { name: 'Error', message: 'the results of the steps are over 4 MiB together' };
    return { steps: [], next: { kind: 'fail', error } };
  }
  const url = new URL(runner.appUrl);
  url.searchParams.set('fnId', lease.fn_id);
  url.searchParams.set('stepId', lease.step);
  const headers = {
    'x-run-id': lease.id,
    'x-inngest-req-version': '2',
    'x-inngest-step-id': lease.step,
    'x-inngest-generation-id': String(lease.gen),
  };
  try {
    const { signingKey } = runner;
    const signal = runner.cut.signal;
    const answer = await callApp({ method: 'POST', url, body, headers, signingKey, signal });
    if (runner.faults.dropAnswers > 0) {
      runner.faults.dropAnswers -= 1;
      return lostTry('the answer was dropped by a fault switch');
    }
    return readAnswer(answer, new Date());
  } catch (error) {
    return runner.cut.signal.aborted ? null : readFailure(error);
  }
}
