import type { Collection } from '@/generated/prisma/client';
import type { Db } from '@/server/db/client';
import type { Network } from '@/server/env';

/** Collections of ours on a network, retired ones too, oldest first. */
export function listCollections(db: Db, network: Network): Promise<Collection[]> {
  return db.collection.findMany({
    where: { network },
    orderBy: [{ createdAt: 'asc' }, { address: 'asc' }],
    take: 1_000,
  });
}
