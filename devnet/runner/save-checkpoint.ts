import { z } from 'zod';
import type { Runner } from './runner';
import { insertSteps, stepColumns } from './store';

const checkpointSchema = z.object({
  generation_id: z.int(),
  steps: z.array(
    z.object({ op: z.literal('StepRun'), id: z.string(), data: z.unknown().optional() }),
  ),
});

/**
 * Keeps results that the app reports in the middle of a call. `stale` when that call is no longer
 * the current one (it ended, or the run was leased again). The app must then halt, because another
 * call is running these steps.
 */
export async function saveCheckpoint(
  runner: Runner,
  runId: string,
  body: unknown,
): Promise<'saved' | 'stale' | 'refused'> {
  const parsed = checkpointSchema.safeParse(body);
  if (!parsed.success) return 'refused';
  const { generation_id: gen, steps } = parsed.data;
  const { rowCount } = await runner.pool.query(
    `with run as (
       select id from runner.runs
       where id = $1 and gen = $2 and lease_until is not null and ended_at is null for update
     ), saved as (${insertSteps('$3', '$4')})
     select id from run`,
    [
      runId,
      gen,
      ...stepColumns(steps.map(({ id, data }) => ({ id, value: { data: data ?? null } }))),
    ],
  );
  return rowCount ? 'saved' : 'stale';
}
