import type { Pool } from 'pg';
import { z } from 'zod';

/** Where a key stands in its window. */
export type Count = { consumedPoints: number; msBeforeNext: number };

const answer = z.array(z.object({ points: z.number(), left_ms: z.coerce.number() })).min(1);

/** Milliseconds since 1970 by the database's clock, which all processes share: a window ends for all at once. */
const NOW_MS = '(extract(epoch from clock_timestamp()) * 1000)::bigint';
/** Counts this long after their window are deleted. */
const FORGOTTEN_AFTER_MS = 3_600_000;

/** Takes points of a key; a window that is over begins anew. */
export async function takeInPostgres(
  pool: Pool,
  o: { key: string; points: number; windowMs: number },
): Promise<Count> {
  return count(
    pool,
    `insert into rate_limits as kept (key, points, expire) values ($1, $2, ${NOW_MS} + $3)
     on conflict (key) do update set
       points = case when kept.expire <= ${NOW_MS} then excluded.points else kept.points + excluded.points end,
       expire = case when kept.expire <= ${NOW_MS} then excluded.expire else kept.expire end
     returning points, greatest(expire - ${NOW_MS}, 0) as left_ms`,
    [o.key, o.points, o.windowMs],
  );
}

/** Sets the points of a key for a time from now, whatever its window was. */
export async function holdInPostgres(
  pool: Pool,
  o: { key: string; points: number; forMs: number },
): Promise<Count> {
  return count(
    pool,
    `insert into rate_limits (key, points, expire) values ($1, $2, ${NOW_MS} + $3)
     on conflict (key) do update set points = excluded.points, expire = excluded.expire
     returning points, greatest(expire - ${NOW_MS}, 0) as left_ms`,
    [o.key, o.points, o.forMs],
  );
}

/** Deletes counts whose window is long over. */
export async function forgetOldCounts(pool: Pool): Promise<void> {
  await pool.query(`delete from rate_limits where expire < ${NOW_MS} - $1`, [FORGOTTEN_AFTER_MS]);
}

async function count(pool: Pool, text: string, values: unknown[]): Promise<Count> {
  const [row] = answer.parse((await pool.query({ name: nameOf(text), text, values })).rows);
  if (!row) throw new Error('a count came back empty');
  return { consumedPoints: row.points, msBeforeNext: row.left_ms };
}

/** The server then plans each of the two statements once a connection. */
const nameOf = (text: string): string =>
  text.includes(' as kept ') ? 'take_points' : 'hold_points';
