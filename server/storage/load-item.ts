import type { Db } from '@/server/db/client';
import type { SignedItem } from './sign-item';
import { itemData } from './verify-item';

export type LoadedItem = SignedItem & {
  data: Uint8Array;
  createdAt: Date;
  /** When the gateway first gave the bytes back; null before. */
  uploadedAt: Date | null;
};

/** A kept item with its data, or null when no item has this id. */
export async function loadItem(db: Db, id: string): Promise<LoadedItem | null> {
  const row = await db.storedItem.findUnique({ where: { id } });
  return row && { ...row, data: itemData(row.raw) };
}
