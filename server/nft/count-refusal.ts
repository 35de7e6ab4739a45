import type { Db } from '@/server/db/client';
import { MOST_ATTEMPTS, quietUntil, type MintStage } from './mint-state';

export type Counted =
  | { status: 'pending' | 'failed'; attempts: number }
  /** Someone else owns the mint now; nothing was counted. */
  | { status: 'lost_lease' };

/**
 * Counts one attempt that an upstream or the chain refused; the third makes the mint `failed`. `stage`
 * is where the next attempt begins, when that is not where the mint stands.
 */
export async function countRefusal(o: {
  db: Db;
  id: string;
  fence: bigint;
  error: string;
  now: Date;
  stage?: MintStage;
}): Promise<Counted> {
  const [counted] = await o.db.mint.updateManyAndReturn({
    where: { id: o.id, fence: o.fence, status: 'pending' },
    data: {
      attempts: { increment: 1 },
      lastError: o.error,
      updatedAt: o.now,
      redriveAt: quietUntil(o.now),
      ...(o.stage === undefined ? {} : { stage: o.stage }),
    },
    select: { attempts: true },
  });
  if (!counted) return { status: 'lost_lease' };
  if (counted.attempts < MOST_ATTEMPTS) return { status: 'pending', attempts: counted.attempts };
  // The row is still ours: a lost lease would have moved the fence, and then nothing is written.
  const { count } = await o.db.mint.updateMany({
    where: { id: o.id, fence: o.fence, status: 'pending', attempts: { gte: MOST_ATTEMPTS } },
    data: { status: 'failed' },
  });
  return count === 1 ? { status: 'failed', attempts: counted.attempts } : { status: 'lost_lease' };
}
