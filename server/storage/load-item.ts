import type { Db } from '@/server/db/client';
import type { SignedItem } from './sign-item';
import { itemData } from '@quittance/verify/storage/verify-item';

export type LoadedItem = SignedItem & {
  data: Uint8Array;
  createdAt: Date;
  /** When the gateway first gave the bytes back; null before. */
  uploadedAt: Date | null;
};

/** A kept item with its data, or null when no item has this id. */
export async function loadItem(db: Db, id: string): Promise<LoadedItem | null> {
  return (await loadItems(db, [id])).get(id) ?? null;
}

/** The kept items among these ids, in one question. */
export async function loadItems(
  db: Db,
  ids: readonly string[],
): Promise<ReadonlyMap<string, LoadedItem>> {
  const rows = await db.storedItem.findMany({ where: { id: { in: [...ids] } } });
  return new Map(rows.map((row) => [row.id, { ...row, data: itemData(row.raw) }]));
}
