import { randomUUID } from 'node:crypto';
import { nextCron, type AppFunction } from './functions';
import type { Runner } from './runner';
import { createRuns, inTransaction } from './store';

/**
 * Starts the due cron functions and sets their next time, in one transaction. One run makes up for
 * all ticks that were missed without a runner. A tick is skipped if the last run is still going. So
 * an app that was down does not return to an hour of ticks.
 */
export async function fireCrons(runner: Runner): Promise<void> {
  await inTransaction(runner.pool, async (client) => {
    const { rows } = await client.query<{ id: string; cron: string; cron_at: Date; busy: boolean }>(
      `select id, cron, cron_at, exists (
         select 1 from runner.runs where fn_id = f.id and ended_at is null
       ) as busy
       from runner.functions f where active and cron_at <= now() for update skip locked`,
    );
    for (const row of rows) {
      const fn = runner.functions?.get(row.id);
      if (fn && !row.busy)
        await createRuns(client, [cronRun(fn, row.cron, row.cron_at, row.cron_at.toISOString())]);
      await client.query('update runner.functions set cron_at = $2 where id = $1', [
        row.id,
        nextCron(row.cron, new Date()),
      ]);
    }
  });
}

/** Starts a cron function now (tests). False when there is no such function. */
export async function fireNow(runner: Runner, functionId: string): Promise<boolean> {
  const found = [...(runner.functions?.values() ?? [])].find(
    (fn) => fn.id === functionId || fn.id.endsWith(`-${functionId}`),
  );
  if (!found?.cron) return false;
  await createRuns(runner.pool, [cronRun(found, found.cron, new Date(), randomUUID())]);
  runner.wake();
  return true;
}

/** The event that the real server passes to a cron function. */
function cronRun(fn: AppFunction, cron: string, at: Date, once: string) {
  const time = at.toISOString().replace(/\.\d{3}Z$/, 'Z');
  const data = { cron, fireAt: time, scheduledAt: time };
  return {
    fn,
    event: { id: time, name: 'inngest/scheduled.timer', data, ts: at.getTime() },
    eventId: randomUUID(),
    idem: `cron:${once}`,
  };
}
