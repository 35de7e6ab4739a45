import type { Payment } from '@/generated/prisma/client';
import type { Db } from '@/server/db/client';
import type { PresentedPayment } from './read-payment-header';

/** What the ledger knows of a payment, under whichever name it was presented; null for a new one. */
export function findPayment(db: Db, presented: PresentedPayment): Promise<Payment | null> {
  return db.payment.findUnique({
    where:
      presented.dialect === 'documented'
        ? { signature: presented.signature }
        : { messageHash: presented.messageHash },
  });
}

/** Slot in which a payment was seen; throws for one that the ledger does not know. */
export async function slotOfPayment(db: Db, signature: string): Promise<bigint> {
  const payment = await db.payment.findUnique({ where: { signature }, select: { slot: true } });
  if (payment?.slot == null) throw new Error(`the payment ${signature} has no slot on record`);
  return payment.slot;
}
