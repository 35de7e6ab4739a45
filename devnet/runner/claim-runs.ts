import type { Runner } from './runner';
import { inTransaction, type Lease } from './store';

/**
 * Leases up to `max` due runs, oldest first, within the concurrency limits of their functions.
 * Claims of several runners happen one after the other, so that the limits hold for all of them
 * together.
 */
export async function claimRuns(runner: Runner, max: number): Promise<Lease[]> {
  const functions = runner.functions;
  if (!functions) return [];
  return inTransaction(runner.pool, async (client) => {
    await client.query(`select pg_advisory_xact_lock(hashtext('runner.claim'))`);
    // The head of each queue is enough. A run that waits for a slot must not hide the others.
    const due = await client.query<{ id: string; fn_id: string; slots: string[] }>(
      `select id, fn_id, slots from (
         select id, fn_id, slots, due_at,
           row_number() over (partition by fn_id, slots order by due_at, created_at, id) as place
         from runner.runs
         where ended_at is null and lease_until is null and due_at <= now() and fn_id = any($1)
       ) as queue where place <= $2 order by due_at, id`,
      [[...functions.keys()], max],
    );
    if (!due.rows.length) return [];
    const busy = await client.query<{ slot: string; n: number }>(
      `select slot, count(*)::int as n from runner.runs, unnest(slots) as slot
       where ended_at is null and lease_until is not null group by slot`,
    );
    const taken = new Map(busy.rows.map((row) => [row.slot, row.n]));
    const chosen: string[] = [];
    for (const run of due.rows) {
      const limits = functions.get(run.fn_id)?.limits ?? [];
      const isFull = run.slots.some(
        (slot, i) => (taken.get(slot) ?? 0) >= (limits[i]?.limit ?? Infinity),
      );
      if (isFull) continue;
      for (const slot of run.slots) taken.set(slot, (taken.get(slot) ?? 0) + 1);
      if (chosen.push(run.id) === max) break;
    }
    const leased = await client.query<Lease>(
      `update runner.runs set owner = $2, gen = gen + 1, lease_until = now() + $3 * interval '1 ms'
       where id = any($1) returning id, fn_id, event, step, attempt, gen, owner`,
      [chosen, runner.owner, runner.leaseMs],
    );
    return leased.rows;
  });
}

/** Runs whose lease ended because their runner died. Runs in `mine` are held by this runner. */
export async function findLost(runner: Runner, mine: string[]): Promise<Lease[]> {
  const { rows } = await runner.pool.query<Lease>(
    `select id, fn_id, event, step, attempt, gen, owner from runner.runs
     where ended_at is null and lease_until < now() and id <> all($1)`,
    [mine],
  );
  return rows;
}

/** Renews the leases of the runs that this process is calling. */
export async function renewLeases(runner: Runner, mine: string[]): Promise<void> {
  await runner.pool.query(
    `update runner.runs set lease_until = now() + $3 * interval '1 ms'
     where ended_at is null and owner = $1 and id = any($2)`,
    [runner.owner, mine, runner.leaseMs],
  );
}

/**
 * Releases remaining leases at shutdown, so that any runner may take those runs. It counts no try.
 */
export async function releaseLeases(runner: Runner): Promise<void> {
  await runner.pool.query(
    `update runner.runs set lease_until = null, owner = null where ended_at is null and owner = $1`,
    [runner.owner],
  );
}

/** Milliseconds until the next run that is not due yet. Null when none waits. */
export async function nextDueMs(runner: Runner): Promise<number | null> {
  const { rows } = await runner.pool.query<{ ms: number | null }>(
    `select extract(epoch from min(due_at) - now())::float8 * 1000 as ms from runner.runs
     where ended_at is null and lease_until is null and due_at > now()`,
  );
  return rows[0]?.ms ?? null;
}
