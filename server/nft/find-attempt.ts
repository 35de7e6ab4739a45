import type { MintAttempt } from '@/generated/prisma/client';
import type { Db } from '@/server/db/client';

/** The signed transaction of a mint that may still land, or null. There is at most one. */
export function findOpenAttempt(db: Db, mintId: string): Promise<MintAttempt | null> {
  return db.mintAttempt.findFirst({ where: { mintId, outcome: null } });
}

/** The signed transaction of a mint that landed, or null. */
export function findLandedAttempt(db: Db, mintId: string): Promise<MintAttempt | null> {
  return db.mintAttempt.findFirst({
    where: { mintId, outcome: 'landed' },
    orderBy: { number: 'desc' },
  });
}
