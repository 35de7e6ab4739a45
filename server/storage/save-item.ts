import type { Db } from '@/server/db/client';
import type { SignedItem } from './sign-item';

/**
 * Keeps a signed item's bytes, before it is uploaded: they can be posted again anywhere, whatever becomes of
 * the key or the node. The same item twice is kept once.
 */
export async function saveItem(db: Db, item: SignedItem, now: Date): Promise<void> {
  await db.storedItem.createMany({
    data: {
      id: item.id,
      contentType: item.contentType,
      raw: new Uint8Array(item.raw),
      dataSha256: item.dataSha256,
      owner: item.owner,
      createdAt: now,
    },
    skipDuplicates: true,
  });
}
