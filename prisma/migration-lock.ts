import { setTimeout as sleep } from 'node:timers/promises';
import type { Client } from 'pg';

/** Advisory lock that `prisma migrate` takes, so that neither tool runs beside the other. */
const LOCK_KEY = 72707369;
const PATIENCE_MS = 60_000;
const PAUSE_MS = 200;

/**
 * Works while a transaction of `holder` holds the lock of migrations, which ends with it: behind a pooler a lock of
 * the session would be left behind on a connection that others get. Who waits asks again and again, each time in a
 * transaction that ends at once: an open one would keep a connection of the pooler from who works, and an index that
 * is built concurrently may wait for it. Null when another has held the lock for a minute.
 */
export async function inTurn<T>(holder: Client, work: () => Promise<T>): Promise<T | null> {
  const started = performance.now();
  while (performance.now() - started < PATIENCE_MS) {
    await holder.query('begin');
    try {
      if (await isTaken(holder)) return await work();
    } finally {
      // What was done stays done, and what went wrong stays reported.
      await holder.query('rollback').catch(() => undefined);
    }
    await sleep(PAUSE_MS);
  }
  return null;
}

async function isTaken(holder: Client): Promise<boolean> {
  // It idles for as long as the work takes.
  await holder.query('set local idle_in_transaction_session_timeout = 0');
  // Without a parameter: one would leave a portal open, whose snapshot a concurrent build waits for.
  const { rows } = await holder.query<{ taken: boolean }>(
    `select pg_try_advisory_xact_lock(${LOCK_KEY}) as taken`,
  );
  return rows[0]?.taken === true;
}
