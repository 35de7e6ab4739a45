import type { Payment, Prisma } from '@/generated/prisma/client';
import type { Db } from '@/server/db/client';
import { UNUSED_AGE_MS } from './judge-payment';
import type { PresentedPayment } from './read-payment-header';

/** The ledger's record of a payment, under whichever name it was presented. Null for a new one. */
export function findPayment(db: Db, presented: PresentedPayment): Promise<Payment | null> {
  return db.payment.findUnique({
    where:
      presented.dialect === 'documented'
        ? { signature: presented.signature }
        : { messageHash: presented.messageHash },
  });
}

type OfRequest = { requestSha256: string; payer: string; now: Date };

/**
 * Other payments that their payer signed for this request, that we settled or are settling, and
 * that bought nothing so far. The earliest comes first. A client whose answer was lost signs again.
 */
export function findSettledForNothing(db: Db, o: OfRequest): Promise<Payment[]> {
  return db.payment.findMany({
    where: {
      ...signedFor(o),
      OR: [
        { state: { in: ['sent', 'settled'] } },
        { state: 'unused', reason: { not: DROPPED } },
        { state: 'unused', reason: null },
      ],
    },
    orderBy: { createdAt: 'asc' },
  });
}

/**
 * Other payments that their payer signed for this request and that ended on record without money,
 * also where the operator closed them.
 */
export function findEndedForNothing(db: Db, o: OfRequest): Promise<Payment[]> {
  return db.payment.findMany({
    where: {
      ...signedFor(o),
      OR: [{ state: 'failed' }, { state: 'unused', reason: DROPPED }],
    },
    orderBy: { createdAt: 'asc' },
  });
}

/** Why a payment is unused if its transaction is gone from the chain. */
export const DROPPED = 'payment_dropped';

function signedFor({ requestSha256, payer, now }: OfRequest): Prisma.PaymentWhereInput {
  return {
    requestSha256,
    payer,
    dialect: { in: ['v1', 'v2'] },
    signature: { not: null },
    // The row is older than its block, so the age at which a payment ends is not reached.
    createdAt: { gt: new Date(now.getTime() - UNUSED_AGE_MS) },
  };
}

/** The purchase that a quote paid for; null without one. */
export async function boughtByQuote(db: Db, quoteId: string): Promise<string | null> {
  const payment = await db.payment.findFirst({
    where: { quoteId, state: 'used' },
    select: { subjectId: true },
  });
  return payment?.subjectId ?? null;
}

/** Slot in which a payment was seen; throws for one that the ledger does not know. */
export async function slotOfPayment(db: Db, signature: string): Promise<bigint> {
  const payment = await db.payment.findUnique({ where: { signature }, select: { slot: true } });
  if (payment?.slot == null) throw new Error(`the payment ${signature} has no slot on record`);
  return payment.slot;
}

/** The fields of a payment that a second check of its end needs. */
export type EndedPayment = Pick<Payment, 'id' | 'signature' | 'state' | 'reason' | 'createdAt'>;

/** Payments that ended as failed or dropped since a time; a page after `after`, by id. */
export function endedWithoutMoney(
  db: Db,
  o: { since: Date; after: string; limit: number },
): Promise<EndedPayment[]> {
  return db.payment.findMany({
    where: {
      id: { gt: o.after },
      signature: { not: null },
      updatedAt: { gte: o.since },
      OR: [{ state: 'failed' }, { state: 'unused', reason: DROPPED }],
    },
    orderBy: { id: 'asc' },
    take: o.limit,
    select: { id: true, signature: true, state: true, reason: true, createdAt: true },
  });
}
