import type { Db } from '@/server/db/client';
import type { FeePayment } from './read-fee-payment';

/** Records a payment of the chain as having bought something, or nothing. False when it is on record. */
export async function restorePayment(
  db: Db,
  o: {
    id: string;
    payment: FeePayment;
    payTo: string;
    bought: { subjectId: string; priceMicros: bigint } | null;
    now: Date;
  },
): Promise<boolean> {
  const { payment, bought, now } = o;
  const { signature, payer, amountMicros, slot, blockTime } = payment;
  const { count } = await db.payment.createMany({
    data: {
      ...{
        id: o.id,
        dialect: 'documented',
        signature,
        payer,
        payTo: o.payTo,
        amountMicros,
        slot,
        blockTime,
      },
      ...{ state: bought ? 'used' : 'unused', reason: 'rebuilt', requestSha256: 'rebuilt' },
      ...{ subjectId: bought?.subjectId ?? null, priceMicros: bought?.priceMicros ?? null },
      ...{ createdAt: now, updatedAt: now },
    },
    skipDuplicates: true,
  });
  return count === 1;
}
