import { randomUUID } from 'node:crypto';
import pg from 'pg';
import type { AppFunction, InngestEvent } from './functions';
import { slotsOf } from './functions';
import type { StepResult } from './read-answer';

/**
 * Tables of the runner. A run has exactly one next call at any time, so its row is also its place
 * in the queue. `step` is the step to call, `due_at` its time, `attempt` the number of failures. A
 * lease (`owner`, `lease_until`) names the current caller. `gen` numbers the calls. Answers are
 * saved only for the current (id, gen, owner). JSON is kept as `json`, because `jsonb` would refuse
 * \u0000 in a step's result.
 */
const TABLES = `
create schema if not exists runner;
create table if not exists runner.functions (
  id text primary key, config json not null, active boolean not null, cron text, cron_at timestamptz
);
create table if not exists runner.runs (
  id text primary key, fn_id text not null, event_id text not null, idem text not null,
  event json not null, slots text[] not null, status text not null default 'Running', output json,
  created_at timestamptz not null default now(), ended_at timestamptz,
  step text not null default 'step', attempt int not null default 0, gen int not null default 0,
  due_at timestamptz not null default now(), lease_until timestamptz, owner text, last_error text,
  unique (fn_id, idem)
);
create index if not exists runs_open on runner.runs (due_at) where ended_at is null;
create index if not exists runs_event on runner.runs (event_id);
create index if not exists runs_ended on runner.runs (ended_at);
create table if not exists runner.steps (
  run_id text not null references runner.runs on delete cascade, id text not null,
  seq bigserial, value json not null, primary key (run_id, id)
);`;

/** A run that a runner has leased in order to make its next call. */
export type Lease = {
  id: string;
  fn_id: string;
  event: InngestEvent;
  step: string;
  attempt: number;
  gen: number;
  owner: string;
};

export type Queryable = Pick<pg.PoolClient, 'query'>;

/** Connects, creates the tables, and reports lost connections to `log` without crashing. */
export async function openStore(databaseUrl: string, log: (line: string) => void) {
  const pool = new pg.Pool({
    connectionString: databaseUrl,
    max: 10,
    // The jobs of each minute come at once. Opening ten connections for them would delay every
    // client.
    idleTimeoutMillis: 600_000,
  });
  pool.on('error', (error) => log(`database connection lost: ${error.message}`));
  // Two runners that start at once must not race on "if not exists".
  await inTransaction(pool, async (client) => {
    await client.query(`select pg_advisory_xact_lock(hashtext('runner.tables'))`);
    await client.query(TABLES);
  });
  return pool;
}

/**
 * Runs `work` in one transaction. A connection whose transaction did not end cleanly is discarded.
 */
export async function inTransaction<T>(
  pool: pg.Pool,
  work: (client: pg.PoolClient) => Promise<T>,
): Promise<T> {
  const client = await pool.connect();
  // Without a listener a connection lost between two queries would end the process.
  const ignore = () => undefined;
  client.on('error', ignore);
  let broken = false;
  try {
    await client.query('begin');
    const result = await work(client);
    await client.query('commit');
    return result;
  } catch (error) {
    await client.query('rollback').catch(() => {
      broken = true;
    });
    throw error;
  } finally {
    client.off('error', ignore);
    client.release(broken);
  }
}

export type NewRun = { fn: AppFunction; event: InngestEvent; eventId: string; idem: string };

/**
 * Inserts the runs of {@link runColumns}, given as six parameters from `$first` on. A run whose
 * (function, idempotency key) is known is left out, so an event id never starts a function twice.
 */
export const insertRuns = (first: number, alsoFrom = '') => `
  insert into runner.runs (id, fn_id, event_id, idem, event, slots)
  select r.id, r.fn_id, r.event_id, r.idem, r.event::json, string_to_array(r.slots, E'\\n')
  from unnest(${[0, 1, 2, 3, 4, 5].map((i) => `$${first + i}::text[]`).join()})
    as r(id, fn_id, event_id, idem, event, slots)${alsoFrom}
  on conflict (fn_id, idem) do nothing`;

export function runColumns(runs: NewRun[]): string[][] {
  return [
    runs.map(() => randomUUID()),
    runs.map((run) => run.fn.id),
    runs.map((run) => run.eventId),
    runs.map((run) => run.idem),
    runs.map((run) => JSON.stringify(run.event)),
    // The name of a slot holds JSON, in which a line feed is always escaped.
    runs.map((run) => slotsOf(run.fn, run.event).join('\n')),
  ];
}

/** Adds runs, due now, all or none. */
export async function createRuns(db: Queryable, runs: NewRun[]): Promise<void> {
  if (runs.length) await db.query(insertRuns(1), runColumns(runs));
}

/**
 * The insert of {@link stepColumns} for the row of a table expression `run(id)`. Existing steps
 * stay.
 */
export const insertSteps = (ids: string, values: string) => `
  insert into runner.steps (run_id, id, value)
  select run.id, s.id, s.value::json from run, unnest(${ids}::text[], ${values}::text[]) as s(id, value)
  on conflict do nothing`;

/** The two parameters of {@link insertSteps}. */
export function stepColumns(steps: StepResult[]): [ids: string[], values: string[]] {
  return [steps.map((step) => step.id), steps.map((step) => JSON.stringify(step.value))];
}
