import type { Payment, PaymentState, Prisma } from '@/generated/prisma/client';
import type { Db } from '@/server/db/client';
import { lockPayment, standingInLedger } from './ledger/entries';

/** The right to use a payment until the lease ends; every later write must show its fence. */
export type PaymentClaim = { id: string; fence: bigint; payment: Payment };

/** How long a request may take from its claim to its receipt before another may take over. */
export const CLAIM_LEASE_MS = 30_000;

export type ClaimWish = {
  /** Id of the row, when it is a new one. */
  id: string;
  dialect: 'documented' | 'v1' | 'v2';
  /** The payment is found by one of the two, which is known. */
  name: { signature: string } | { messageHash: string };
  payer: string;
  payTo: string;
  amountMicros: bigint;
  priceMicros: bigint;
  quoteId: string | null;
  requestSha256: string;
  slot: bigint | null;
  blockTime: Date | null;
  /** Request that claims. */
  holder: string;
  now: Date;
};

/**
 * Claims a payment for one request, inside the caller's transaction. The payment is new, its
 * request died before the end, or it bought nothing before. A documented payment has already moved
 * money and is `settled` from the start. Returns null when another request has it, it is used, or
 * less than the price is left of it after refunds.
 */
export async function claimPayment(db: Db, wish: ClaimWish): Promise<PaymentClaim | null> {
  if (!(await mayBuy(db, wish))) return null;
  const lease = {
    leaseOwner: wish.holder,
    leaseUntil: new Date(wish.now.getTime() + CLAIM_LEASE_MS),
    updatedAt: wish.now,
  };
  const { id, dialect, payer, payTo, amountMicros, priceMicros, quoteId, requestSha256 } = wish;
  const bought = { priceMicros, quoteId, requestSha256 };
  const { count } = await db.payment.createMany({
    data: {
      id,
      dialect,
      ...wish.name,
      payer,
      payTo,
      amountMicros,
      ...bought,
      slot: wish.slot,
      blockTime: wish.blockTime,
      state: dialect === 'documented' ? 'settled' : 'claimed',
      fence: 1n,
      createdAt: wish.now,
      ...lease,
    },
    skipDuplicates: true,
  });
  if (count === 1) return toClaim(await db.payment.findUnique({ where: { id } }));
  const isFree: Prisma.PaymentWhereInput = {
    OR: [{ leaseUntil: null }, { leaseUntil: { lte: wish.now } }],
  };
  const again = await db.payment.updateManyAndReturn({
    where: {
      AND: [
        wish.name,
        isFree,
        // Money of another request may still land. The sweep finds its outcome.
        { OR: [{ state: 'claimed' }, { state: { in: ['sent', 'settled'] }, requestSha256 }] },
      ],
    },
    data: { ...bought, ...lease, fence: { increment: 1 } },
  });
  if (again[0]) return toClaim(again[0]);
  const unused = await db.payment.updateManyAndReturn({
    // An unused one has a lease only while the operator holds it.
    where: { AND: [wish.name, isFree], state: 'unused' },
    data: {
      ...bought,
      ...lease,
      // An earlier note may rest on one node only. These values come from the chain.
      ...(wish.slot === null ? {} : { slot: wish.slot, blockTime: wish.blockTime, payer, payTo }),
      amountMicros,
      state: 'settled',
      reason: null,
      fence: { increment: 1 },
    },
  });
  return toClaim(unused[0] ?? null);
}

/**
 * Whether the ledger lets a payment buy. A payment claimed by its message is checked by the
 * signature on its row. Without a signature nothing is on chain, so nothing of it can have been
 * refunded.
 */
async function mayBuy(db: Db, wish: ClaimWish): Promise<boolean> {
  const paid = 'signature' in wish.name ? { ...wish, ...wish.name } : await signedFor(db, wish);
  if (paid === null) return true;
  const { signature, payer, slot, amountMicros } = paid;
  await lockPayment(db, signature);
  const standing = await standingInLedger(db, { signature, payer, slot });
  const isFree = !standing.isHeld && standing.questionedBy === null;
  return isFree && amountMicros - standing.refundedMicros >= wish.priceMicros;
}

/** The signed transaction on record for a message; null without one. */
async function signedFor(db: Db, { name, payer, slot, amountMicros }: ClaimWish) {
  if (!('messageHash' in name)) return null;
  const row = await db.payment.findUnique({
    where: name,
    select: { signature: true, payer: true, slot: true, amountMicros: true },
  });
  if (row === null || row.signature === null) return null;
  return {
    signature: row.signature,
    payer: row.payer ?? payer,
    slot: row.slot ?? slot,
    amountMicros: row.amountMicros ?? amountMicros,
  };
}

function toClaim(payment: Payment | null): PaymentClaim | null {
  return payment && { id: payment.id, fence: payment.fence, payment };
}

type Claim = Pick<PaymentClaim, 'id' | 'fence'>;
const NO_LEASE = { leaseOwner: null, leaseUntil: null };

/**
 * Records a signed payment before it is sent. Returns false when another request took the claim.
 */
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

/** The payment is confirmed on chain. Returns false when another request took the claim. */
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
 * Ends a claim whose request bought nothing. Money that moved becomes `unused`. Money that may
 * still move stays `sent`. A payment that was never signed is deleted. A used payment does not
 * change.
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
 * Marks a payment as used, with what it bought and the answer that repeats of the request get. Call
 * it in the transaction that writes the purchase. Returns false and writes nothing when another
 * request took the claim.
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
  states: PaymentState[],
  data: Prisma.PaymentUpdateManyMutationInput,
): Promise<boolean> {
  const { count } = await db.payment.updateMany({
    where: { id, fence, state: { in: states } },
    data,
  });
  return count === 1;
}
