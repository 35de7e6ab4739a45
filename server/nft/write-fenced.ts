import type { Prisma } from '@/generated/prisma/client';
import type { Db } from '@/server/db/client';
import type { Fenced } from './mint-state';

/**
 * Changes a mint only while `fence` is its fencing number: one UPDATE, so that a worker which slept
 * through its lease cannot overwrite what the next one did. `also` narrows which rows qualify.
 */
export async function writeFenced(
  o: { db: Db; id: string; fence: bigint },
  data: Prisma.MintUpdateManyMutationInput,
  also: Prisma.MintWhereInput = {},
): Promise<Fenced> {
  const { count } = await o.db.mint.updateMany({
    where: { ...also, id: o.id, fence: o.fence },
    data,
  });
  return count === 1 ? 'done' : 'lost_lease';
}
