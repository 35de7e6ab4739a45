import type { Prisma } from '@/generated/prisma/client';
import type { Db } from '@/server/db/client';
import type { PaymentClaim } from './claim-payment';

type Claim = Pick<PaymentClaim, 'id' | 'fence'>;
const NO_LEASE = { leaseOwner: null, leaseUntil: null };

/** Writes down a signed payment before it is sent. False when the claim went to another. */
export function recordSent(
  db: Db,
  claim: Claim,
  sent: {
    signature: string;
    wire: Uint8Array<ArrayBuffer>;
    lastValidBlockHeight: bigint;
    now: Date;
  },
): Promise<boolean> {
  const { now, ...fields } = sent;
  return writeClaimed(db, claim, ['claimed'], { ...fields, state: 'sent', updatedAt: now });
}

/** The payment is confirmed on chain. False when the claim went to another. */
export function recordSettled(
  db: Db,
  claim: Claim,
  o: { slot: bigint; now: Date },
): Promise<boolean> {
  return writeClaimed(db, claim, ['sent'], { state: 'settled', slot: o.slot, updatedAt: o.now });
}

/** The payment can no longer land, or failed on chain: nobody was charged. */
export function recordFailed(
  db: Db,
  claim: Claim,
  o: { reason: string; now: Date },
): Promise<boolean> {
  return writeClaimed(db, claim, ['sent'], {
    state: 'failed',
    reason: o.reason,
    updatedAt: o.now,
    ...NO_LEASE,
  });
}

/**
 * Ends a claim whose request bought nothing: money that moved is `unused`, money that may be moving stays
 * `sent`, and a payment that was never signed is forgotten. Nothing happens to a used one.
 */
export async function releaseClaim(
  db: Db,
  claim: Claim,
  o: { reason: string; now: Date },
): Promise<void> {
  const { id, fence } = claim;
  await db.payment.deleteMany({ where: { id, fence, state: 'claimed' } });
  await writeClaimed(db, claim, ['sent'], { updatedAt: o.now, ...NO_LEASE });
  await writeClaimed(db, claim, ['settled'], {
    state: 'unused',
    reason: o.reason,
    updatedAt: o.now,
    ...NO_LEASE,
  });
}

/**
 * Marks a payment as used for what it bought, with the answer that repeats of the request get. Call it in
 * the transaction that writes what was bought. False, with nothing written, when the claim went to another.
 */
export function usePayment(
  tx: Db,
  claim: Claim,
  o: { subjectId: string; answer: Prisma.InputJsonObject; now: Date },
): Promise<boolean> {
  const { now, ...fields } = o;
  return writeClaimed(tx, claim, ['settled'], {
    ...fields,
    state: 'used',
    reason: null,
    updatedAt: now,
    ...NO_LEASE,
  });
}

async function writeClaimed(
  db: Db,
  { id, fence }: Claim,
  states: string[],
  data: Prisma.PaymentUpdateManyMutationInput,
): Promise<boolean> {
  const { count } = await db.payment.updateMany({
    where: { id, fence, state: { in: states } },
    data,
  });
  return count === 1;
}
