import type { Db } from '@/server/db/client';

/**
 * Puts the minter's key on record as in use; the key used before it, if another, ends its time now.
 * Receipts are checked against these rows for ever, so none is ever deleted.
 */
export async function noteCreatorKey(db: Db, publicKey: string, now: Date): Promise<void> {
  await db.issuerKey.upsert({
    where: { kind_publicKey: { kind: 'creator', publicKey } },
    create: { kind: 'creator', publicKey, usedFrom: now },
    update: { usedUntil: null },
  });
  await db.issuerKey.updateMany({
    where: { kind: 'creator', publicKey: { not: publicKey }, usedUntil: null },
    data: { usedUntil: now },
  });
}
