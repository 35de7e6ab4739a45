import { Prisma, type PrismaClient } from '@/generated/prisma/client';
import type { Db } from '@/server/db/client';
import type { FeePayment } from './read-fee-payment';

/** Records a documented payment that came to us and bought nothing, unless the ledger knows it already. */
export async function noteUnused(
  db: PrismaClient,
  o: {
    id: string;
    payment: FeePayment;
    requestSha256: string;
    reason: string;
    now: Date;
  },
): Promise<void> {
  const { id, payment, requestSha256, reason, now } = o;
  const { signature, payer, payTo, amountMicros, slot, blockTime } = payment;
  await db.payment.createMany({
    data: {
      ...{ id, dialect: 'documented', signature, payer, payTo, amountMicros, slot, blockTime },
      ...{ state: 'unused', reason, requestSha256, createdAt: now, updatedAt: now },
    },
    skipDuplicates: true,
  });
}

/** Frees the payment of something that was bought and then undone; its payer may use it again. */
export async function freePayment(
  tx: Db,
  o: { subjectId: string; reason: string; now: Date },
): Promise<void> {
  await tx.payment.updateMany({
    where: { subjectId: o.subjectId, state: 'used' },
    data: {
      state: 'unused',
      reason: o.reason,
      subjectId: null,
      answer: Prisma.DbNull,
      updatedAt: o.now,
    },
  });
}
