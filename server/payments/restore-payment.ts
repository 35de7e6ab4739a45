import { z } from 'zod';
import { writeAudit } from '@/server/db/audit';
import type { Db } from '@/server/db/client';
import { refundedOf } from './ledger/entries';
import type { FeePayment } from './read-fee-payment';

/**
 * Records a payment of the chain as having bought something, or nothing. A payment that is on
 * record without a purchase, because the backup was taken in between, gets its purchase. Returns
 * false when nothing had to change.
 */
export async function restorePayment(
  db: Db,
  o: {
    id: string;
    payment: FeePayment;
    /** The signed transaction and its signers, if a node returns the bytes of the transaction. */
    message: { hash: string; isSettledByUs: boolean } | null;
    bought: { subjectId: string; priceMicros: bigint } | null;
    now: Date;
  },
): Promise<boolean> {
  const { payment, message, now } = o;
  const { signature, payer, payTo, amountMicros, slot, blockTime } = payment;
  const leftMicros = amountMicros - (await refundedOf(db, { signature, token: 'USDC' }));
  // A refunded payment bought nothing.
  const bought = o.bought && o.bought.priceMicros <= leftMicros ? o.bought : null;
  const { count } = await db.payment.createMany({
    data: {
      id: o.id,
      // The chain does not distinguish version 1 from 2.
      dialect: message?.isSettledByUs === true ? 'v2' : 'documented',
      signature,
      messageHash: message?.hash ?? null,
      payer,
      payTo,
      amountMicros,
      slot,
      blockTime,
      state: bought ? 'used' : 'unused',
      reason: 'rebuilt',
      requestSha256: 'rebuilt',
      subjectId: bought?.subjectId ?? null,
      priceMicros: bought?.priceMicros ?? null,
      createdAt: now,
      updatedAt: now,
    },
    skipDuplicates: true,
  });
  if (count === 1 || !bought) return count === 1;
  const changed = await db.payment.updateMany({
    where: {
      OR: [{ signature }, ...(message ? [{ messageHash: message.hash }] : [])],
      state: { notIn: ['used', 'refunded'] },
    },
    data: {
      signature,
      payer,
      payTo,
      amountMicros,
      slot,
      blockTime,
      updatedAt: now,
      state: 'used',
      reason: 'rebuilt',
      ...bought,
      leaseOwner: null,
      leaseUntil: null,
      fence: { increment: 1 },
    },
  });
  return changed.count === 1;
}

/** A paid purchase whose payment is not on record. */
export type Purchase = {
  subjectId: string;
  /** Wallets one of which paid. */
  payers: readonly string[];
  priceMicros: bigint;
  issuedAt: Date;
};

const ACTION = 'purchase.rebuild';
const row = z.object({
  subject: z.string(),
  detail: z.object({
    payers: z.string().transform((text) => text.split(' ')),
    price_micros: z.string().transform(BigInt),
    issued_at: z.iso.datetime().transform((text) => new Date(text)),
  }),
});

/**
 * Notes a restored purchase in the transaction that restores it. If a rebuild is killed before it
 * comes to the payments, the next run finds the note. So the payment does not count as one that
 * bought nothing. Free receipts are not noted.
 */
export async function noteRebuiltPurchase(db: Db, o: Purchase & { now: Date }): Promise<void> {
  if (o.priceMicros === 0n) return;
  if ((await db.auditEntry.count({ where: { action: ACTION, subject: o.subjectId } })) > 0) return;
  await writeAudit(db, {
    at: o.now,
    actor: 'admin',
    action: ACTION,
    subject: o.subjectId,
    detail: {
      payers: o.payers.join(' '),
      price_micros: o.priceMicros.toString(),
      issued_at: o.issuedAt.toISOString(),
    },
  });
}

/** Restored purchases that no payment on record bought. */
export async function unpaidRebuiltPurchases(db: Db): Promise<Purchase[]> {
  const rows = await db.$queryRaw<unknown[]>`
    select distinct on (subject) subject, detail from audit_log noted
    where action = ${ACTION}
      and not exists (select from payments where subject_id = noted.subject and state = 'used')
    order by subject, at`;
  return rows.map((one) => {
    const { subject, detail } = row.parse(one);
    return {
      subjectId: subject,
      payers: detail.payers,
      priceMicros: detail.price_micros,
      issuedAt: detail.issued_at,
    };
  });
}
