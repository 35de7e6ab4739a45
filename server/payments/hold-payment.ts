import { type Payment, Prisma, type PrismaClient } from '@/generated/prisma/client';
import { writeAudit } from '@/server/db/audit';
import type { Db } from '@/server/db/client';
import { lockPayment } from './ledger/entries';
import type { FeePayment } from './read-fee-payment';

/** Name on the lease of a payment that is to be refunded. No request has such an id. */
const HOLDER = 'operator:refund';
/** Long enough to make a refund by hand and record it; a hold that is forgotten ends. */
const HOLD_MS = 24 * 3_600_000;

/** Whether the operator has set an unused payment aside to refund it. */
export function isHeldForRefund(
  payment: Pick<Payment, 'state' | 'leaseOwner' | 'leaseUntil'>,
  now: Date,
): boolean {
  const { state, leaseOwner, leaseUntil } = payment;
  return state === 'unused' && leaseOwner === HOLDER && leaseUntil !== null && leaseUntil > now;
}

/**
 * Sets a payment that bought nothing aside for 24 hours, or releases it, with an audit row. A
 * payment set aside buys nothing, so that its refund can be made. A payment that nobody presented
 * has no row yet (`id` null) and is held by its signature. Returns false when a request works on it
 * or it has bought something. Safe to repeat.
 */
export function holdPayment(
  db: PrismaClient,
  o: { id: string | null; signature?: string; isHeld: boolean; actor?: string; now: Date },
): Promise<boolean> {
  const { id, isHeld, now } = o;
  const until = new Date(now.getTime() + HOLD_MS);
  return db.$transaction(async (tx) => {
    const row = id === null ? null : await tx.payment.findUnique({ where: { id } });
    const signature = o.signature ?? row?.signature ?? null;
    if (signature !== null) {
      await lockPayment(tx, signature);
      if (id === null && (await tx.payment.findUnique({ where: { signature } }))) return false;
    }
    if (id !== null && !(await setLease(tx, { id, until: isHeld ? until : null, now })))
      return false;
    // The lease alone holds a row. A note from before the row existed ends with it.
    if (signature !== null)
      await setHold(tx, { signature, until: isHeld && id === null ? until : null });
    const action = isHeld ? 'payment.hold' : 'payment.release';
    const subject = id ?? signature ?? '';
    await writeAudit(tx, { at: now, actor: o.actor ?? 'admin', action, subject, detail: {} });
    return true;
  });
}

async function setLease(
  tx: Db,
  o: { id: string; until: Date | null; now: Date },
): Promise<boolean> {
  const { count } = await tx.payment.updateMany({
    where: { id: o.id, state: 'unused' },
    data: {
      leaseOwner: o.until === null ? null : HOLDER,
      leaseUntil: o.until,
      updatedAt: o.now,
    },
  });
  return count === 1;
}

async function setHold(tx: Db, o: { signature: string; until: Date | null }): Promise<void> {
  const { signature: paymentSignature, until: heldUntil } = o;
  if (heldUntil === null) await tx.ledgerHold.deleteMany({ where: { paymentSignature } });
  else
    await tx.ledgerHold.upsert({
      where: { paymentSignature },
      create: { paymentSignature, heldUntil },
      update: { heldUntil },
    });
}

/**
 * Records a documented payment that reached us and bought nothing, unless the ledger knows it
 * already.
 */
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
      id,
      dialect: 'documented',
      signature,
      payer,
      payTo,
      amountMicros,
      slot,
      blockTime,
      state: 'unused',
      reason,
      requestSha256,
      createdAt: now,
      updatedAt: now,
    },
    skipDuplicates: true,
  });
}

/** Frees the payment of a purchase that was undone, so that its payer may use it again. */
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
