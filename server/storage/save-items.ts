import type { Db } from '@/server/db/client';
import type { SignedItem } from './sign-item';

/**
 * Keeps signed items' bytes, before they are uploaded: they can be posted again anywhere, whatever becomes of
 * the key or the node. The same item twice is kept once.
 */
export async function saveItems(db: Db, items: readonly SignedItem[], now: Date): Promise<void> {
  await db.storedItem.createMany({
    data: items.map((item) => ({
      id: item.id,
      contentType: item.contentType,
      raw: new Uint8Array(item.raw),
      dataSha256: item.dataSha256,
      owner: item.owner,
      createdAt: now,
    })),
    skipDuplicates: true,
  });
}
