import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';

/**
 * Waits for mints to be completed, or also closed. It reads the database, because status requests
 * would add load to the service.
 */
export async function awaitMints(
  connectionString: string,
  ids: string[],
  until: 'completed' | 'closed',
): Promise<void> {
  const client = new pg.Client({ connectionString });
  await client.connect();
  try {
    for (;;) {
      const { rows } = await client.query<{ failed: number; completed: number; closed: number }>(
        `select count(*) filter (where status = 'failed')::int as failed, count(completed_at)::int as completed,
           count(final_at)::int as closed from mints where id = any($1)`,
        [ids],
      );
      if (rows[0]?.failed !== 0) throw new Error('a receipt failed');
      if (rows[0][until] === ids.length) return;
      await sleep(100);
    }
  } finally {
    await client.end();
  }
}
