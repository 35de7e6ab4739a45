import type { Queryable } from './store';

const COLUMNS = `id as run_id, fn_id as function_id, status, output, created_at as run_started_at,
  ended_at, attempt, last_error`;

/** One run as `GET /v1/runs/:id` returns it, or null when unknown. */
export async function readRun(db: Queryable, id: string): Promise<unknown> {
  const { rows } = await db.query(`select ${COLUMNS} from runner.runs where id = $1`, [id]);
  return rows[0] ?? null;
}

/** The runs that an event started, by the internal id that its sender got. */
export async function readRunsOfEvent(db: Queryable, eventId: string): Promise<unknown[]> {
  const { rows } = await db.query(
    `select ${COLUMNS} from runner.runs where event_id = $1 order by fn_id limit 100`,
    [eventId],
  );
  return rows;
}

/**
 * Depth of the queue: runs that are due, in a call, or waiting for a later time. In total and by
 * function.
 */
export async function readQueue(db: Queryable) {
  const { rows } = await db.query<{ fn: string; due: number; leased: number; later: number }>(
    `select fn_id as fn,
       count(*) filter (where lease_until is null and due_at <= now())::int as due,
       count(*) filter (where lease_until is not null)::int as leased,
       count(*) filter (where lease_until is null and due_at > now())::int as later
     from runner.runs where ended_at is null group by fn_id order by fn_id`,
  );
  const sum = (pick: (row: (typeof rows)[number]) => number) =>
    rows.reduce((total, row) => total + pick(row), 0);
  return {
    due: sum((row) => row.due),
    leased: sum((row) => row.leased),
    later: sum((row) => row.later),
    functions: Object.fromEntries(rows.map(({ fn, ...depth }) => [fn, depth])),
  };
}
