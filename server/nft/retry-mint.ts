import type { PrismaClient } from '@/generated/prisma/client';
import { writeAudit } from '@/server/db/audit';
import { DROPPED, quietUntil } from './mint-state';

export type RetryResult =
  /** `round` tells this repeat from earlier ones: pass it on when asking for the mint to be driven. */
  | { state: 'retried'; paid: boolean; round: number }
  | { state: 'not_found' }
  | { state: 'refused'; reason: string };

/**
 * Sends a failed mint on its way again with no attempts counted, from the last step that was done. A
 * signed transaction that may still land is settled first, as ever. The audit row is written with it.
 */
export function retryMint(
  db: PrismaClient,
  o: { id: string; actor: string; now: Date },
): Promise<RetryResult> {
  return db.$transaction(async (tx) => {
    const mint = await tx.mint.findUnique({ where: { id: o.id } });
    if (!mint) return { state: 'not_found' };
    if (mint.status !== 'failed')
      return { state: 'refused', reason: `the mint is ${mint.status}, not failed` };
    if (DROPPED.some((code) => code === mint.lastError))
      return { state: 'refused', reason: `the mint ended with ${mint.lastError ?? ''}` };
    const { count } = await tx.mint.updateMany({
      where: { id: o.id, status: 'failed', redrives: mint.redrives },
      data: {
        status: 'pending',
        attempts: 0,
        lastError: null,
        redrives: { increment: 1 },
        redriveAt: quietUntil(o.now),
        updatedAt: o.now,
      },
    });
    if (count === 0) return { state: 'refused', reason: 'someone else retried it just now' };
    await writeAudit(tx, {
      at: o.now,
      actor: o.actor,
      action: 'mint.retry',
      subject: o.id,
      detail: { attempts: mint.attempts, lastError: mint.lastError, stage: mint.stage },
    });
    return { state: 'retried', paid: mint.paid, round: mint.redrives + 1 };
  });
}
