import type { Db } from '@/server/db/client';

/** Writes or (empty) deletes a wallet's own note on a receipt. Nobody else ever sees it. */
export async function setPrivateLabel(
  db: Db,
  o: { wallet: string; receiptId: string; label: string; now: Date },
): Promise<void> {
  const { wallet, receiptId, label, now: updatedAt } = o;
  const key = { wallet, receiptId };
  if (label === '') await db.privateLabel.deleteMany({ where: key });
  else
    await db.privateLabel.upsert({
      where: { wallet_receiptId: key },
      create: { ...key, label, updatedAt },
      update: { label, updatedAt },
    });
}
