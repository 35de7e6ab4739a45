import type { Db } from './client';

/**
 * The database's clock, in UTC: the time that money depends on. All processes of the service share it, so a
 * process whose own clock is wrong judges a payment as the others do. Costs one round trip.
 */
export async function databaseNow(db: Pick<Db, '$queryRaw'>): Promise<Date> {
  const [row] = await db.$queryRaw<{ now: Date }[]>`select clock_timestamp() as now`;
  if (!row) throw new Error('the database did not tell its time');
  return row.now;
}
