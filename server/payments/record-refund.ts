import type { PrismaClient } from '@/generated/prisma/client';
import { writeAudit } from '@/server/db/audit';
import { isNotUnique } from '@/server/db/not-unique';

/**
 * Marks an unused payment as refunded, with its audit row. A refund transaction stands for one payment:
 * `taken` when it is on record for another; `not_unused` when a request took the payment meanwhile. Safe to repeat.
 */
export async function recordRefund(
  db: PrismaClient,
  o: {
    id: string;
    refundSignature: string;
    amountMicros: bigint;
    /** Wallet that gave the money back. */
    from: string;
    now: Date;
  },
): Promise<'recorded' | 'taken' | 'not_unused'> {
  const { id, refundSignature, now } = o;
  try {
    return await db.$transaction(async (tx) => {
      const { count } = await tx.payment.updateMany({
        where: { id, state: 'unused' },
        data: {
          ...{ state: 'refunded', refundSignature, updatedAt: now },
          ...{ leaseOwner: null, leaseUntil: null },
        },
      });
      if (count === 0) {
        const row = await tx.payment.findUnique({ where: { id } });
        return row?.refundSignature === refundSignature ? 'recorded' : 'not_unused';
      }
      await writeAudit(tx, {
        at: now,
        actor: 'admin',
        action: 'payment.refund',
        subject: id,
        detail: { refundSignature, amountMicros: o.amountMicros.toString(), from: o.from },
      });
      return 'recorded';
    });
  } catch (error) {
    if (isNotUnique(error)) return 'taken';
    throw error;
  }
}
