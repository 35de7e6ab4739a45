import { setTimeout as sleep } from 'node:timers/promises';
import type { Client } from 'pg';

/** Advisory lock that `prisma migrate` takes, so that neither tool runs beside the other. */
const LOCK_KEY = 72707369;
const PATIENCE_MS = 60_000;
const PAUSE_MS = 200;

/**
 * Works while a transaction of `holder` holds the lock of migrations, which ends with it: behind a pooler a lock of
 * the session would be left behind on a connection that others get. The lock is asked for again and again, because a
 * session that waits inside the question holds a snapshot, and an index that is built concurrently waits for every
 * snapshot: the two would wait for each other. Null when another has held it for a minute.
 */
export async function inTurn<T>(holder: Client, work: () => Promise<T>): Promise<T | null> {
  await holder.query('begin');
  try {
    // It idles for as long as the work takes.
    await holder.query('set local idle_in_transaction_session_timeout = 0');
    return (await isTaken(holder)) ? await work() : null;
  } finally {
    await holder.query('rollback');
  }
}

async function isTaken(holder: Client): Promise<boolean> {
  const started = performance.now();
  for (;;) {
    const { rows } = await holder.query<{ taken: boolean }>(
      'select pg_try_advisory_xact_lock($1) as taken',
      [LOCK_KEY],
    );
    if (rows[0]?.taken === true) return true;
    if (performance.now() - started > PATIENCE_MS) return false;
    await sleep(PAUSE_MS);
  }
}
