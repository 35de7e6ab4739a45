import type { Db } from '@/server/db/client';
import { DROPPED } from '@/server/nft/mint-state';

/**
 * Ids of failed mints that may be tried again, oldest first. Those whose transfer or payment vanished are
 * not among them: there is nothing to mint.
 */
export async function failedMints(db: Db, limit: number): Promise<string[]> {
  const rows = await db.mint.findMany({
    where: {
      status: 'failed',
      OR: [{ lastError: null }, { lastError: { notIn: [...DROPPED] } }],
    },
    orderBy: [{ createdAt: 'asc' }, { id: 'asc' }],
    select: { id: true },
    take: limit,
  });
  return rows.map(({ id }) => id);
}
