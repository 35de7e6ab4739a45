import type { Db } from '@/server/db/client';

export type StorageKeyUse = { publicKey: string; usedFrom: Date; usedUntil: Date | null };

/** More keys than a service changes in its life; a bound all the same. */
const MOST_KEYS = 1000;

/** Every key that signed items and when it was in use, newest first. */
export async function listStorageKeys(db: Db): Promise<StorageKeyUse[]> {
  return db.issuerKey.findMany({
    where: { kind: 'storage' },
    orderBy: [{ usedFrom: 'desc' }, { publicKey: 'asc' }],
    take: MOST_KEYS,
    select: { publicKey: true, usedFrom: true, usedUntil: true },
  });
}
