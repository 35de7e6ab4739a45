import { setTimeout as sleep } from 'node:timers/promises';
import { callApp } from './call-app';
import { lostTry, readAnswer, readFailure, type Outcome } from './read-answer';
import type { Runner } from './runner';
import { maxAttempts, settleCall, UNREACHABLE_MS } from './settle-call';
import type { Lease } from './store';

export const DATABASE_RETRY_MS = 200;

/** Makes the calls of a leased run until it has to wait, ends, or the runner stops. */
export async function driveRun(runner: Runner, first: Lease): Promise<void> {
  for (let lease: Lease | null = first; lease;) {
    const current: Lease = lease;
    const outcome = await insist(runner, () => call(runner, current));
    if (!outcome) return;
    if (outcome.next.kind === 'unreachable') runner.awayUntil = Date.now() + UNREACHABLE_MS;
    lease = await insist(runner, () => settleCall(runner, current, outcome));
  }
}

/**
 * Repeats database work until it succeeds. A step's result must survive a restart of the database,
 * and the lease is ours until the result is saved. Null when the runner stops.
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

/**
 * One call of the app. Rejects only when the database fails. Null when the runner stopped during
 * the call.
 */
async function call(runner: Runner, lease: Lease): Promise<Outcome | null> {
  const { rows } = await runner.pool.query<{ id: string; value: unknown }>(
    'select id, value from runner.steps where run_id = $1 order by seq',
    [lease.id],
  );
  const event = { ...lease.event, data: lease.event.data ?? {} };
  const body = {
    version: 2,
    event,
    events: [event],
    steps: Object.fromEntries(rows.map((row) => [row.id, row.value])),
    ctx: {
      run_id: lease.id,
      attempt: lease.attempt,
      max_attempts: maxAttempts(runner, lease),
      stack: { stack: rows.map((row) => row.id), current: rows.length },
      // Without fn_id the SDK runs one step a call.
      ...(runner.checkpointing && { fn_id: lease.fn_id, qi_id: lease.id }),
    },
  };
  const url = new URL(runner.appUrl);
  url.searchParams.set('fnId', lease.fn_id);
  url.searchParams.set('stepId', lease.step);
  const headers = { 'x-run-id': lease.id, 'x-inngest-generation-id': String(lease.gen) };
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
