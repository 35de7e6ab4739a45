import type { Db } from '@/server/db/client';
import { QUIET_MS } from './mint-state';
import type { StuckMint } from './mints-to-redrive';

const LONGEST_SPACING_MS = 3_600_000;

/**
 * Notes that the sweep sends a mint on its way again, and when it may do so next: after as long as it
 * has been without a sign of life, which makes 1, 2, 4 ... minutes up to an hour, and one minute again
 * as soon as it moves. Gives the number of this repeat, or null when another sweep was faster.
 */
export async function markRedriven(db: Db, mint: StuckMint, now: Date): Promise<number | null> {
  const quietMs = now.getTime() - mint.updatedAt.getTime();
  const spacingMs = Math.min(LONGEST_SPACING_MS, Math.max(QUIET_MS, quietMs));
  const { count } = await db.mint.updateMany({
    where: { id: mint.id, redrives: mint.redrives, status: { not: 'failed' } },
    data: { redrives: { increment: 1 }, redriveAt: new Date(now.getTime() + spacingMs) },
  });
  return count === 1 ? mint.redrives + 1 : null;
}

/** Notes that the job server did not take a repeat, so that the mint is due again at the next sweep. */
export async function markUnsent(
  db: Db,
  { id, round }: { id: string; round: number },
  now: Date,
): Promise<void> {
  await db.mint.updateMany({ where: { id, redrives: round }, data: { redriveAt: now } });
}
