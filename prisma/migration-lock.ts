import { setTimeout as sleep } from 'node:timers/promises';
import type { Client } from 'pg';

/** Advisory lock that `prisma migrate` takes, so that the two tools never run at the same time. */
const LOCK_KEY = 72707369;
const PATIENCE_MS = 60_000;
const PAUSE_MS = 200;

/**
 * Runs work during a transaction of `holder` that holds the migrations' lock. The lock ends with
 * that transaction, because behind a pooler a session's lock would stay on a connection that other
 * clients get. Waiting sessions ask repeatedly, each time in a short transaction. An open one would
 * use up a connection of the pooler, and a concurrent index build may wait for it. Returns null
 * when another session has held the lock for a minute.
 */
export async function inTurn<T>(holder: Client, work: () => Promise<T>): Promise<T | null> {
  const started = performance.now();
  while (performance.now() - started < PATIENCE_MS) {
    await holder.query('begin');
    try {
      if (await isTaken(holder)) return await work();
    } finally {
      // Finished work stays, and its error stays reported.
      await holder.query('rollback').catch(() => undefined);
    }
    await sleep(PAUSE_MS);
  }
  return null;
}

async function isTaken(holder: Client): Promise<boolean> {
  // The transaction idles for the length of the work.
  await holder.query('set local idle_in_transaction_session_timeout = 0');
  // Without a parameter: a parameter would leave a portal open, whose snapshot blocks a concurrent
  // build.
  const { rows } = await holder.query<{ taken: boolean }>(
    `select pg_try_advisory_xact_lock(${LOCK_KEY}) as taken`,
  );
  return rows[0]?.taken === true;
}
