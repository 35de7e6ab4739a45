import type { Db } from '@/server/db/client';
import type { Limits } from '@/server/limits';

/** The fields of a payment and its purchase that the cool-down needs. */
type Turn = { txSignature: string; payer: string };

/** Much longer than a payment can take to expire, and short for a person who waits. */
const COOL_DOWN_MINUTES = 10;

/**
 * Notes, by the database's clock, that a payer requested a transaction for which another payment is
 * under way.
 */
export async function noteWaiting(db: Pick<Db, '$executeRaw'>, turn: Turn): Promise<void> {
  await db.$executeRaw`
    insert into waiting_payers (tx_signature, payer, waited_at)
    values (${turn.txSignature}, ${turn.payer}, clock_timestamp())
    on conflict (tx_signature, payer) do update set waited_at = clock_timestamp()`;
}

/**
 * Whether a payer must let others pay for a transaction first. Two things must have happened in the
 * last 10 minutes. A v1 or v2 payment of this payer for it ended without effect, and another payer
 * waited for it. Without the rule, one party could block the transaction with a series of payments
 * that never land.
 */
export async function isCoolingDown(db: Pick<Db, '$queryRaw'>, turn: Turn): Promise<boolean> {
  const [row] = await db.$queryRaw<{ cooling: boolean }[]>`
    select exists (
      select 1 from payments join quotes on quotes.id = payments.quote_id
      where payments.payer = ${turn.payer} and payments.state = 'failed'
        and payments.dialect in ('v1', 'v2') and quotes.tx_signature = ${turn.txSignature}
        and payments.updated_at > clock_timestamp() - make_interval(mins => ${COOL_DOWN_MINUTES})
    ) and exists (
      select 1 from waiting_payers
      where tx_signature = ${turn.txSignature} and payer <> ${turn.payer}
        and waited_at > clock_timestamp() - make_interval(mins => ${COOL_DOWN_MINUTES})
    ) as cooling`;
  if (!row) throw new Error('the database did not say whether a payer cools down');
  return row.cooling;
}

/** Deletes rows that no cool-down needs any more. */
export async function forgetWaiting(db: Pick<Db, 'waitingPayer'>, before: Date): Promise<void> {
  await db.waitingPayer.deleteMany({ where: { waitedAt: { lt: before } } });
}

/**
 * Whose budget of failures is used up today (UTC, by the database's clock). Null while another
 * payment may be signed and sent. A payment that fails on chain costs the fee payer its fee and
 * earns nothing, and its payer can make it fail after the simulation. A sent payment without an
 * outcome counts as failed, so that a burst cannot exceed the budget by much.
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
