import type { Db } from './client';

/**
 * The database's clock, in UTC: the time that money depends on. All processes of the service share it, so a
 * process whose own clock is wrong judges a payment as the others do. Costs one round trip.
 */
export async function databaseNow(db: Pick<Db, '$queryRaw'>): Promise<Date> {
  // As a number: the driver drops the time zone of a timestamp.
  const [row] = await db.$queryRaw<{ ms: number }[]>`
    select (extract(epoch from clock_timestamp()) * 1000)::float8 as ms`;
  if (!row) throw new Error('the database did not tell its time');
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
