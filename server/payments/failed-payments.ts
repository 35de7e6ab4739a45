import type { Db } from '@/server/db/client';
import type { Limits } from '@/server/limits';

/**
 * Whose budget of failures is used up today, UTC by the database's clock; null while another payment may be
 * signed and sent. One that fails on chain costs the fee payer its fee and brings nothing, and its payer can
 * make it fail after the simulation. What was sent and has no end yet counts among all as if it failed, so
 * that few more get through by being many at once.
 */
export async function spentFailures(
  db: Pick<Db, '$queryRaw'>,
  o: { payer: string; limits: Limits },
): Promise<'payer' | 'all' | null> {
  if (o.limits === null) return null;
  const [row] = await db.$queryRaw<{ own: number; together: number }[]>`
    select
      (count(*) filter (where state = 'failed' and payer = ${o.payer}))::int as own,
      count(*)::int as together
    from payments
    where created_at >= date_trunc('day', clock_timestamp() at time zone 'utc') at time zone 'utc'
      and dialect in ('v1', 'v2')
      and (state = 'sent' or (state = 'failed' and reason = 'transaction_failed'))`;
  if (!row) throw new Error('the database did not count the payments that failed');
  if (row.own >= o.limits.failed_payer) return 'payer';
  return row.together >= o.limits.failed_all ? 'all' : null;
}
