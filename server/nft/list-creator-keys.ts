import type { IssuerKey } from '@/generated/prisma/client';
import type { Db } from '@/server/db/client';

/** Keys that were ever the verified creator of our NFTs, oldest first. */
export function listCreatorKeys(db: Db): Promise<IssuerKey[]> {
  return db.issuerKey.findMany({
    where: { kind: 'creator' },
    orderBy: { usedFrom: 'asc' },
    take: 100,
  });
}
