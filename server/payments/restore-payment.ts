import type { Db } from '@/server/db/client';
import { refundedOf } from './ledger/standing';
import type { FeePayment } from './read-fee-payment';

/**
 * Records a payment of the chain as having bought something, or nothing. One that is on record without
 * having bought anything, as the backup was taken in between, is written to have bought it. False when
 * nothing had to change.
 */
export async function restorePayment(
  db: Db,
  o: {
    id: string;
    payment: FeePayment;
    /** What was signed, and by whom: known where a node gives the bytes of the transaction. */
    message: { hash: string; isSettledByUs: boolean } | null;
    bought: { subjectId: string; priceMicros: bigint } | null;
    now: Date;
  },
): Promise<boolean> {
  const { payment, message, now } = o;
  const { signature, payer, payTo, amountMicros, slot, blockTime } = payment;
  const leftMicros = amountMicros - (await refundedOf(db, { signature, token: 'USDC' }));
  // What was given back bought nothing.
  const bought = o.bought && o.bought.priceMicros <= leftMicros ? o.bought : null;
  const { count } = await db.payment.createMany({
    data: {
      ...{
        id: o.id,
        // The chain does not tell version 1 from 2.
        dialect: message?.isSettledByUs === true ? 'v2' : 'documented',
        signature,
        messageHash: message?.hash ?? null,
        payer,
        payTo,
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
  if (count === 1 || !bought) return count === 1;
  const changed = await db.payment.updateMany({
    where: {
      OR: [{ signature }, ...(message ? [{ messageHash: message.hash }] : [])],
      state: { notIn: ['used', 'refunded'] },
    },
    data: {
      ...{ signature, payer, payTo, amountMicros, slot, blockTime, updatedAt: now },
      ...{ state: 'used', reason: 'rebuilt', ...bought },
      ...{ leaseOwner: null, leaseUntil: null, fence: { increment: 1 } },
    },
  });
  return changed.count === 1;
}
