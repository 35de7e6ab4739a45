import type { Db } from '@/server/db/client';

/** Takes a tree out of use because the program said that it has no room. */
export async function markTreeFull(db: Db, address: string, now: Date): Promise<void> {
  await db.tree.updateMany({ where: { address, fullAt: null }, data: { fullAt: now } });
}
