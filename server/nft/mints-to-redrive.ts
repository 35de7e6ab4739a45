import type { Db } from '@/server/db/client';

export type StuckMint = { id: string; paid: boolean; redrives: number; updatedAt: Date };

/**
 * Mints that gave no sign of life since their time: pending ones, and completed ones whose transaction
 * was not yet seen final. Those paid for first, then longest waiting first.
 */
export function mintsToRedrive(db: Db, now: Date, limit: number): Promise<StuckMint[]> {
  return db.mint.findMany({
    where: { status: { not: 'failed' }, finalAt: null, redriveAt: { lte: now } },
    orderBy: [{ paid: 'desc' }, { redriveAt: 'asc' }],
    take: limit,
    select: { id: true, paid: true, redrives: true, updatedAt: true },
  });
}
