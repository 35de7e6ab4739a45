import type { Payment, PrismaClient } from '@/generated/prisma/client';
import { writeAudit } from '@/server/db/audit';

/** Name on the lease of a payment that is to be given back; no request has such an id. */
const HOLDER = 'operator:refund';
/** Long enough to make a refund by hand and record it; a hold that is forgotten ends. */
const HOLD_MS = 24 * 3_600_000;

/** Whether the operator has set an unused payment aside to give it back. */
export function isHeldForRefund(
  payment: Pick<Payment, 'state' | 'leaseOwner' | 'leaseUntil'>,
  now: Date,
): boolean {
  const { state, leaseOwner, leaseUntil } = payment;
  return state === 'unused' && leaseOwner === HOLDER && leaseUntil !== null && leaseUntil > now;
}

/**
 * Sets an unused payment aside for 24 hours, so that it buys nothing while its refund is on the way, or
 * lets it go, with an audit row. False when it is not unused. Safe to repeat.
 */
export function holdPayment(
  db: PrismaClient,
  o: { id: string; isHeld: boolean; now: Date },
): Promise<boolean> {
  const { id, isHeld, now } = o;
  const lease = isHeld
    ? { leaseOwner: HOLDER, leaseUntil: new Date(now.getTime() + HOLD_MS) }
    : { leaseOwner: null, leaseUntil: null };
  return db.$transaction(async (tx) => {
    const { count } = await tx.payment.updateMany({
      where: { id, state: 'unused' },
      data: { ...lease, updatedAt: now },
    });
    if (count === 0) return false;
    const action = isHeld ? 'payment.hold' : 'payment.release';
    await writeAudit(tx, { at: now, actor: 'admin', action, subject: id, detail: {} });
    return true;
  });
}
