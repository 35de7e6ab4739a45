import type { Db } from '@/server/db/client';

/** Notes that the gateway served the item; the first time stays. */
export async function markUploaded(db: Db, id: string, now: Date): Promise<void> {
  await db.storedItem.updateMany({ where: { id, uploadedAt: null }, data: { uploadedAt: now } });
}
