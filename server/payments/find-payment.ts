import { RpcUnavailable } from '@quittance/verify/chain/rpc-errors';
import { type Payment, Prisma } from '@/generated/prisma/client';
import { signatureFinality } from '@/server/chain/node-statuses';
import type { Rpc } from '@/server/chain/rpc';
import { noteLongOpen } from '@/server/chain/undecided-transactions';
import type { Db } from '@/server/db/client';
import type { PaymentClaim } from './claim-payment';
import { UNUSED_AGE_MS } from './judge-payment';
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

type OfRequest = { requestSha256: string; payer: string; now: Date };

/**
 * Other payments that their payer signed for this very request, that we settled or are settling, and that
 * bought nothing so far, the earliest first. A client whose answer was lost signs anew.
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
 * Other payments that their payer signed for this very request and that ended on record without money, be it
 * by the operator's word.
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

const DROPPED = 'payment_dropped';

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

/** What a quote was used to buy; null while it was not. */
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

/** A repeat of the request is better placed to finish it, so it gets this long to come. */
const QUIET_MS = 60_000;
/** How long one look of the sweep may take. */
const LEASE_MS = 30_000;

/** Forgets payments that were claimed and never signed, by a process that died: nothing moved. */
export async function forgetUnsigned(db: Db, now: Date): Promise<void> {
  await db.payment.deleteMany({ where: { state: 'claimed', leaseUntil: { lt: quiet(now) } } });
}

/** Makes payments `unused` that are confirmed and whose request died before it wrote. Gives their ids. */
export async function freeInterrupted(db: Db, now: Date): Promise<string[]> {
  const rows = await db.payment.updateManyAndReturn({
    where: { state: 'settled', leaseUntil: { lt: quiet(now) } },
    data: {
      state: 'unused',
      reason: 'interrupted',
      leaseOwner: null,
      leaseUntil: null,
      fence: { increment: 1 },
      updatedAt: now,
    },
    select: { id: true },
  });
  return rows.map(({ id }) => id);
}

/** Claims payments that were sent and that nobody looks after, oldest first; at most `limit`. */
export async function claimSent(
  db: Db,
  o: { holder: string; now: Date; limit: number },
): Promise<PaymentClaim[]> {
  const { now } = o;
  const found = await db.payment.findMany({
    where: {
      state: 'sent',
      updatedAt: { lt: quiet(now) },
      OR: [{ leaseUntil: null }, { leaseUntil: { lte: now } }],
    },
    orderBy: { updatedAt: 'asc' },
    take: o.limit,
    select: { id: true, fence: true },
  });
  const claims: PaymentClaim[] = [];
  for (const { id, fence } of found) {
    const [payment] = await db.payment.updateManyAndReturn({
      where: { id, fence, state: 'sent' },
      data: {
        leaseOwner: o.holder,
        leaseUntil: new Date(now.getTime() + LEASE_MS),
        fence: { increment: 1 },
      },
    });
    if (payment) claims.push({ id, fence: payment.fence, payment });
  }
  return claims;
}

/** Deletes quotes that no payment can count for any more, by the database's clock; at most `limit` at once. */
export async function deleteOldQuotes(db: Db, limit: number): Promise<void> {
  await db.$executeRaw(Prisma.sql`
    delete from quotes where id in
      (select id from quotes where keep_until < clock_timestamp() order by keep_until limit ${limit})`);
}

function quiet(now: Date): Date {
  return new Date(now.getTime() - QUIET_MS);
}

type Named = Pick<Payment, 'id' | 'signature' | 'state' | 'reason' | 'createdAt'>;

/** Why a payment is unused whose end had been put down wrongly. */
const LANDED_AFTER_ALL = 'landed_after_all';

/**
 * Looks once more at a payment that ended as failed or dropped, and makes it `unused` where a node shows it as
 * final after all and a second one knows it too, so that its payer has it to use or to get back. Gives the payment
 * as it is now, or null when it stays as it was. Throws RpcUnavailable, while one node alone shows it as well:
 * nobody may be told then that nothing was charged, until the operator closes it on record.
 */
export async function reviveLanded(
  o: { db: Db; rpc: Rpc; now: Date },
  payment: Named,
): Promise<Payment | null> {
  const { id, signature } = payment;
  if (signature === null) return null;
  const finality = await signatureFinality({ rpc: o.rpc, signature });
  if (finality === 'unwitnessed') {
    if (await isClosed(o, payment, signature)) return null;
    throw new RpcUnavailable(`one node alone shows ${signature} as landed`);
  }
  if (finality !== 'finalized') return null;
  const [revived] = await o.db.payment.updateManyAndReturn({
    where: { id, OR: [{ state: 'failed' }, { state: 'unused', reason: DROPPED }] },
    data: { state: 'unused', reason: LANDED_AFTER_ALL, updatedAt: o.now },
  });
  return revived ?? null;
}

/** Puts it on record when it is over an hour old; whether the operator closed it. */
async function isClosed(
  { db, now }: { db: Db; now: Date },
  { id: subject, createdAt: since }: Named,
  signature: string,
): Promise<boolean> {
  const reason = 'one node alone calls it final';
  const one = { signature, kind: 'payment', subject, reason, since, now } as const;
  return (await noteLongOpen(db, one)) === 'closed';
}

/** Payments that ended as failed or dropped since a time; a page after `after`, by id. */
export function endedWithoutMoney(
  db: Db,
  o: { since: Date; after: string; limit: number },
): Promise<Named[]> {
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
