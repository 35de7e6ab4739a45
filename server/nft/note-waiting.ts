import { Prisma } from '@/generated/prisma/client';
import type { Db } from '@/server/db/client';
import { quietUntil, type Fenced } from './mint-state';

/**
 * Notes what a mint waits for. Waiting is not an attempt: nothing is counted. Whoever waits is alive,
 * so the sweep stays away; but a longer spacing that it chose is kept.
 */
export async function noteWaiting(o: {
  db: Db;
  id: string;
  fence: bigint;
  reason: string;
  now: Date;
}): Promise<Fenced> {
  const count = await o.db.$executeRaw(Prisma.sql`
    update mints
    set last_error = ${o.reason}, updated_at = ${o.now},
      redrive_at = greatest(redrive_at, ${quietUntil(o.now)})
    where id = ${o.id} and fence = ${o.fence}`);
  return count === 1 ? 'done' : 'lost_lease';
}
