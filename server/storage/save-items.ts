import { Prisma } from '@/generated/prisma/client';
import type { Db } from '@/server/db/client';
import { insertInto } from '@/server/db/insert-into';
import type { SignedItem } from './sign-item';

type Items = readonly [SignedItem, ...SignedItem[]];

/**
 * Keeps signed items' bytes, before they are uploaded: they can be posted again anywhere, whatever becomes of
 * the key or the node. The same item twice is kept once.
 */
export async function saveItems(db: Db, items: Items, now: Date): Promise<void> {
  await db.$executeRaw(itemsToSave(items, now));
}

/** {@link saveItems} as SQL that can stand inside a larger statement. */
export function itemsToSave([first, ...others]: Items, now: Date): Prisma.Sql {
  const toRow = (item: SignedItem) => ({
    id: item.id,
    contentType: item.contentType,
    raw: new Uint8Array(item.raw),
    dataSha256: item.dataSha256,
    owner: item.owner,
    createdAt: now,
  });
  const rows = insertInto('stored_items', [toRow(first), ...others.map(toRow)]);
  return Prisma.sql`${rows} on conflict do nothing`;
}
