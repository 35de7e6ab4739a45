import type { Db } from '@/server/db/client';
import { QUIET_MS } from './mint-state';
import type { StuckMint } from './mints-to-redrive';

const LONGEST_SPACING_MS = 3_600_000;

/**
 * Notes that the job server took the sweep's event for a mint, and when the sweep may send the next: after as
 * long as it has been without a sign of life, which makes 1, 2, 4 ... minutes up to an hour, and one minute again
 * as soon as it moves. A run that moved it meanwhile has set its own time, which stays. Gives the number of this
 * repeat, or null when another sweep was faster.
 */
export async function markRedriven(db: Db, mint: StuckMint, now: Date): Promise<number | null> {
  const quietMs = now.getTime() - mint.updatedAt.getTime();
  const spacingMs = Math.min(LONGEST_SPACING_MS, Math.max(QUIET_MS, quietMs));
  const next = new Date(now.getTime() + spacingMs);
  const count = await db.$executeRaw`
    update mints set redrives = redrives + 1,
        redrive_at = case when redrive_at <= ${now} then ${next} else redrive_at end
      where id = ${mint.id} and redrives = ${mint.redrives} and status <> 'failed'`;
  return count === 1 ? mint.redrives + 1 : null;
}
