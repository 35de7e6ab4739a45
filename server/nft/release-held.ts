import type { PrismaClient } from '@/generated/prisma/client';
import { writeAudit } from '@/server/db/audit';
import { quietUntil } from './mint-state';

/**
 * Takes pending mints out of their pause, so that they are looked at now and not when the sweep comes to
 * them. Gives the number of the repeat of each and whether it is paid for; a mint that is not pending is
 * left alone. The audit row is written with it. Leases stay as they are: who works on a mint goes on.
 */
export function releaseHeld(
  db: PrismaClient,
  o: { ids: string[]; actor: string; now: Date },
): Promise<{ id: string; paid: boolean; round: number }[]> {
  return db.$transaction(async (tx) => {
    const released = await tx.mint.updateManyAndReturn({
      where: { id: { in: o.ids }, status: 'pending' },
      data: { redrives: { increment: 1 }, redriveAt: quietUntil(o.now) },
      select: { id: true, paid: true, redrives: true },
    });
    for (const { id } of released)
      await writeAudit(tx, {
        at: o.now,
        actor: o.actor,
        action: 'mint.release',
        subject: id,
        detail: {},
      });
    return released.map(({ redrives, ...mint }) => ({ ...mint, round: redrives }));
  });
}
