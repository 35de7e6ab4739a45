import type { Mint } from '@/generated/prisma/client';
import type { Db } from '@/server/db/client';

/**
 * Takes the lease on a mint for `leaseMs`, with a new fencing number that every later write must show.
 * The same owner may take it again; another only once it was given back or ran out. Null when someone
 * else holds it or the mint does not exist.
 */
export async function claimMint(o: {
  db: Db;
  id: string;
  owner: string;
  leaseMs: number;
  now: Date;
}): Promise<{ mint: Mint; fence: bigint } | null> {
  const [mint] = await o.db.mint.updateManyAndReturn({
    where: {
      id: o.id,
      OR: [{ leaseOwner: null }, { leaseOwner: o.owner }, { leaseUntil: { lte: o.now } }],
    },
    data: {
      leaseOwner: o.owner,
      leaseUntil: new Date(o.now.getTime() + o.leaseMs),
      fence: { increment: 1 },
    },
  });
  return mint ? { mint, fence: mint.fence } : null;
}
