import type { PrismaClient } from '@/generated/prisma/client';
import { writeAudit } from '@/server/db/audit';
import { databaseNow } from '@/server/db/database-time';

export type Withdrawn = 'recorded' | 'nothing_left' | 'is_refund';

/**
 * Puts on record that what left our wallets in a transaction was taken out by the operator, with an audit row:
 * then it is no difference, and no payment's refund. `nothing_left` when the ledger has no debit of that
 * transaction; `is_refund` when it is on record as one. Safe to repeat.
 */
export function recordWithdrawal(
  db: PrismaClient,
  o: { signature: string; note: string | null; actor?: string },
): Promise<Withdrawn> {
  const { signature, note } = o;
  return db.$transaction(async (tx) => {
    const out = await tx.ledgerEntry.findMany({ where: { signature, direction: 'out' } });
    if (out.some(({ purpose }) => purpose === 'refund')) return 'is_refund';
    const { count } = await tx.ledgerEntry.updateMany({
      where: { signature, direction: 'out', purpose: null },
      data: { purpose: 'withdrawal' },
    });
    if (count === 0)
      return out.some(({ purpose }) => purpose === 'withdrawal') ? 'recorded' : 'nothing_left';
    await writeAudit(tx, {
      at: await databaseNow(tx),
      actor: o.actor ?? 'admin',
      action: 'ledger.withdraw',
      subject: signature,
      detail: { entries: count, note },
    });
    return 'recorded';
  });
}
