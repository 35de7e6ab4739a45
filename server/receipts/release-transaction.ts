import type { Db } from '@/server/db/client';

/**
 * Frees the transaction of a receipt that will never be minted because the transfer or its payment
 * vanished: the same signature may be receipted again should it come back.
 */
export async function releaseTransaction(db: Db, receiptId: string, now: Date): Promise<void> {
  await db.receipt.updateMany({
    where: { id: receiptId, releasedAt: null },
    data: { releasedAt: now },
  });
}
