import { writeAudit } from '@/server/db/audit';
import type { Db } from '@/server/db/client';

/**
 * Deletes what is on record about where a wallet paid from, now instead of at the end of its time. Gives
 * the number of receipts it was on. The audit entry does not say what was deleted.
 */
export async function forgetWallet(
  tx: Db,
  o: { wallet: string; actor: string; now: Date },
): Promise<number> {
  const { count } = await tx.payerJurisdiction.deleteMany({ where: { payer: o.wallet } });
  await writeAudit(tx, {
    at: o.now,
    actor: o.actor,
    action: 'jurisdiction.forget',
    subject: o.wallet,
    detail: { receipts: count },
  });
  return count;
}

/** Deletes what was recorded so many years ago or earlier; at most `limit` rows at once. */
export async function forgetOld(
  db: Db,
  o: { years: number; now: Date; limit: number },
): Promise<number> {
  const end = new Date(o.now);
  end.setUTCFullYear(end.getUTCFullYear() - o.years);
  return db.$executeRaw`
    delete from payer_jurisdictions where receipt_id in (
      select receipt_id from payer_jurisdictions where recorded_at <= ${end} limit ${o.limit})`;
}
