import type { Tree } from '@/generated/prisma/client';
import type { Db } from '@/server/db/client';
import type { Network } from '@/server/env';

/** Trees of ours on a network, full and retired ones too, oldest first. */
export function listTrees(db: Db, network: Network): Promise<Tree[]> {
  return db.tree.findMany({
    where: { network },
    orderBy: [{ createdAt: 'asc' }, { address: 'asc' }],
    take: 1_000,
  });
}
