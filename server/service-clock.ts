import { setTimeout as sleep } from 'node:timers/promises';
import { createDatabaseClock, type DatabaseClock } from './db/database-clock';
import { databaseNow } from '@/server/db/database-clock';
import { db } from './db/client';
import { log } from './log';
import { processWide } from './process-wide';

/** Drift within this time is far below a millisecond; a machine that was suspended is wrong for no longer. */
const SAMPLED_EVERY_MS = 5_000;
/** How long a start waits for a database that does not answer. */
const START_PATIENCE_MS = 60_000;
const PAUSE_MS = 1_000;

/**
 * The clock of this process, which has the database's time. All processes of the service agree on
 * the time, however wrong the clock of a machine is. {@link startClock} comes first; `now()` throws
 * before it.
 */
export const serviceClock = processWide('clock', () =>
  createDatabaseClock({ ask: async () => (await databaseNow(db())).getTime() }),
);

/**
 * Waits for the database's time, then follows it for as long as the process lives. Without the
 * database the clock continues from the last sample. Throws when the database does not answer for a
 * minute (or `patienceMs`).
 */
export async function startClock(o: { patienceMs?: number } = {}): Promise<DatabaseClock> {
  const clock = serviceClock();
  if (clock.isSet()) return clock;
  const end = performance.now() + (o.patienceMs ?? START_PATIENCE_MS);
  for (;;) {
    try {
      await clock.sample();
      break;
    } catch (error) {
      if (performance.now() > end)
        throw new Error('the database does not answer, so the time is unknown', { cause: error });
      log().warn({ event: 'clock_waits_for_database', err: error });
      await sleep(PAUSE_MS);
    }
  }
  setInterval(() => void follow(clock), SAMPLED_EVERY_MS).unref();
  return clock;
}

async function follow(clock: DatabaseClock): Promise<void> {
  try {
    await clock.sample();
  } catch (error) {
    log().warn({ event: 'clock_not_sampled', err: error });
  }
}
