import type { Clock } from '@/server/clock';
import type { Db } from './client';

/**
 * The database's clock, in UTC: the time that money depends on. All processes of the service share
 * it, so a process with a wrong clock judges a payment like the others. Costs one round trip.
 */
export async function databaseNow(db: Pick<Db, '$queryRaw'>): Promise<Date> {
  // As a number: the driver drops the time zone of a timestamp.
  const [row] = await db.$queryRaw<{ ms: number }[]>`
    select (extract(epoch from clock_timestamp()) * 1000)::float8 as ms`;
  if (!row) throw new Error('the database did not return its time');
  return new Date(row.ms);
}

/**
 * The time zone of the database's sessions when it is not UTC all year round, else null. The driver reads each
 * stored time as if it were UTC, so in another zone every time that we read would be hours off.
 */
export async function zoneBesideUtc(db: Pick<Db, '$queryRaw'>): Promise<string | null> {
  const [row] = await db.$queryRaw<{ zone: string; is_utc: boolean }[]>`
    select current_setting('TimeZone') as zone,
      extract(timezone from timestamptz '2026-01-15') = 0
        and extract(timezone from timestamptz '2026-07-15') = 0 as is_utc`;
  return row && !row.is_utc ? row.zone : null;
}

/** A clock with the database's time that does not ask it each time. */
export type DatabaseClock = Clock & {
  /** Whether the database has returned its time yet: until then `now()` throws. */
  isSet(): boolean;
  /** Asks the database for its time and follows it. Throws when the database does not answer. */
  sample(): Promise<void>;
  /** How far the machine's own clock is ahead of the database's (negative: behind). */
  systemAheadMs(): number;
};

export type DatabaseClockOptions = {
  /** The database's time in Unix milliseconds. */
  ask(): Promise<number>;
  /** Monotonic: the machine's clock does not affect it. */
  elapsedMs?(): number;
  /** The machine's own clock. */
  systemMs?(): number;
};

/**
 * After a smaller backward correction than this, the time stands still until the clock has caught
 * up. So within a process no later event has an earlier time. After a larger one, the database's
 * own clock was set back, and the time follows at once. If it were held still for so long, no lease
 * would end.
 */
const MOST_HELD_MS = 1_000;

/**
 * A clock that follows the database's. Between two samples the time advances by the elapsed time of
 * the process. It never uses the machine's clock, which may be wrong or be set at any moment.
 *
 * The database reads its clock at some moment between question and answer. A sample therefore
 * limits the distance of the two clocks from both sides. A distance within the limits stays. One
 * outside (drift, a machine that was suspended, a database that moved) moves to the nearer limit.
 * So a slow answer never moves the clock by mistake, and a quick one makes it exact.
 */
export function createDatabaseClock(o: DatabaseClockOptions): DatabaseClock {
  const elapsedMs = o.elapsedMs ?? (() => performance.now());
  const systemMs = o.systemMs ?? (() => Date.now());
  /** Database's time less elapsed time. */
  let offsetMs: number | null = null;
  let latestMs = -Infinity;

  const databaseMs = (): number => {
    if (offsetMs === null) throw new Error('the database has not returned its time yet');
    return offsetMs + elapsedMs();
  };

  return {
    isSet: () => offsetMs !== null,
    now: () => {
      const ms = databaseMs();
      if (ms > latestMs || latestMs - ms > MOST_HELD_MS) latestMs = ms;
      return new Date(latestMs);
    },
    sample: async () => {
      const askedAt = elapsedMs();
      const told = await o.ask();
      const [least, most] = [told - elapsedMs(), told - askedAt];
      offsetMs = offsetMs === null ? (least + most) / 2 : Math.min(Math.max(offsetMs, least), most);
    },
    systemAheadMs: () => systemMs() - databaseMs(),
  };
}
