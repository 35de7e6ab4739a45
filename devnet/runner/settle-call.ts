import { FUNCTION_FAILED, functionsFor } from './functions';
import type { Next, Outcome } from './read-answer';
import type { Runner } from './runner';
import { insertRuns, insertSteps, runColumns, stepColumns, type Lease, type NewRun } from './store';

/** The real server's waits, to which it adds up to 30 s at random. */
const BACKOFF_S = [15, 30, 60, 120, 300, 600, 1200, 2400, 3600, 7200] as const;
const JITTER_MS = 30_000;
/** How soon an app that refused the connection is tried again. */
export const UNREACHABLE_MS = 500;
/** The server's default when a function does not name its retries. */
const DEFAULT_ATTEMPTS = 5;

/** The changes of the run's row. */
type Change = {
  status: 'Running' | 'Completed' | 'Failed';
  output: unknown;
  step: string;
  attempt: number;
  afterMs: number;
  error: unknown;
};

/**
 * Saves the outcome of a call: its step results, its end, and the run's next call. If the run
 * failed, also the run of its failure handler. It is one statement, so it happens as a whole or not
 * at all. Only the holder of the lease can save: an answer that comes after the lease passed on is
 * dropped completely.
 *
 * Returns the lease for the next call when that is due at once, so that a run keeps its place.
 * Otherwise null.
 */
export async function settleCall(
  runner: Runner,
  lease: Lease,
  outcome: Outcome,
): Promise<Lease | null> {
  const change = decide(runner, lease, outcome.next);
  const isOver = change.status !== 'Running';
  const mayGoOn = lease.owner === runner.owner && !runner.stopping && !runner.faults.paused;
  const goesOn = !isOver && change.afterMs === 0 && mayGoOn;
  const handlers = change.status === 'Failed' ? failureHandlers(runner, lease, change.error) : [];
  const { rowCount } = await runner.pool.query(
    `with run as (
       update runner.runs set status = $4, output = $5, step = $6, attempt = $7, last_error = $8,
         due_at = now() + $9 * interval '1 ms', ended_at = case when $4 <> 'Running' then now() end,
         gen = case when $10 then gen + 1 else gen end, owner = case when $10 then owner end,
         lease_until = case when $10 then now() + $11 * interval '1 ms' end
       where id = $1 and gen = $2 and owner = $3 and ended_at is null returning id
     ), saved as (${insertSteps('$12', '$13')}), handled as (${insertRuns(14, ', run')})
     select id from run`,
    [
      ...[lease.id, lease.gen, lease.owner, change.status],
      isOver ? JSON.stringify(change.output ?? null) : null,
      ...[change.step, change.attempt, change.error === null ? null : textOf(change.error)],
      ...[change.afterMs, goesOn, runner.leaseMs],
      ...stepColumns(outcome.steps),
      ...runColumns(handlers),
    ],
  );
  if (!rowCount) runner.log(`run ${lease.id}: an answer came after its lease had passed on`);
  else if (change.error !== null && outcome.next.kind !== 'unreachable')
    runner.log(`run ${lease.id} of ${lease.fn_id}: ${textOf(change.error)} (${change.status})`);
  if (handlers.length) runner.wake();
  if (!rowCount || !goesOn) return null;
  return { ...lease, gen: lease.gen + 1, step: change.step, attempt: change.attempt };
}

function decide(runner: Runner, lease: Lease, next: Next): Change {
  const cutShort = (ms: number) => Math.min(ms, runner.mostSleepMs ?? ms);
  const same = { output: null, step: lease.step, attempt: lease.attempt, afterMs: 0, error: null };
  switch (next.kind) {
    case 'call':
      return {
        ...same,
        status: 'Running',
        step: next.step,
        attempt: 0,
        afterMs: cutShort(next.afterMs),
      };
    case 'unreachable':
      return { ...same, status: 'Running', afterMs: UNREACHABLE_MS, error: next.error };
    case 'complete':
      return { ...same, status: 'Completed', output: next.output };
    case 'fail':
      return { ...same, status: 'Failed', output: next.error, error: next.error };
    case 'retry': {
      const { error } = next;
      const attempt = lease.attempt + 1;
      if (next.final || attempt >= maxAttempts(runner, lease))
        return { ...same, status: 'Failed', output: error, error };
      const afterMs = next.afterMs ?? backoffMs(runner, lease.attempt);
      return { ...same, status: 'Running', attempt, afterMs, error };
    }
  }
}

/**
 * Tries of a function. The app gets this number, so that it knows the last try and can report a
 * step as failed.
 */
export function maxAttempts(runner: Runner, lease: Lease): number {
  return runner.functions?.get(lease.fn_id)?.maxAttempts ?? DEFAULT_ATTEMPTS;
}

/** A failing failure handler is not reported again, because that would never end. */
function failureHandlers(runner: Runner, lease: Lease, error: unknown): NewRun[] {
  if (lease.event.name === FUNCTION_FAILED) return [];
  const data = {
    function_id: lease.fn_id,
    run_id: lease.id,
    event: lease.event,
    events: [lease.event],
    error,
    _inngest: { status: 'Failed' },
  };
  const event = { id: lease.id, name: FUNCTION_FAILED, ts: Date.now(), data };
  const handlers = functionsFor(runner.functions?.values() ?? [], event);
  return handlers.map((handler) => ({ ...handler, event, eventId: lease.id }));
}

function backoffMs(runner: Runner, attempt: number): number {
  if (runner.backoffMs !== null) return runner.backoffMs * 2 ** attempt;
  const seconds = BACKOFF_S[Math.min(attempt, BACKOFF_S.length - 1)] ?? 0;
  return seconds * 1000 + Math.random() * JITTER_MS;
}

/** One line for people. NUL is the one character that PostgreSQL text cannot hold. */
function textOf(error: unknown): string {
  const message =
    typeof error === 'object' && error !== null && 'message' in error ? error.message : error;
  const text = typeof message === 'string' ? message : (JSON.stringify(message) ?? 'unknown error');
  return text.replaceAll('\0', '').slice(0, 500);
}
