import type { Db } from '@/server/db/client';

export type StuckMint = { id: string; redrives: number; updatedAt: Date };

/**
 * Mints that gave no sign of life since their time: pending ones, and completed ones whose transaction
 * was not yet seen final. Longest waiting first.
 */
export function mintsToRedrive(db: Db, now: Date, limit: number): Promise<StuckMint[]> {
  return db.mint.findMany({
    where: { status: { not: 'failed' }, finalAt: null, redriveAt: { lte: now } },
    orderBy: { redriveAt: 'asc' },
    take: limit,
    select: { id: true, redrives: true, updatedAt: true },
  });
}
