import { RpcUnavailable } from '@quittance/verify/chain/rpc-errors';
import type { Payment } from '@/generated/prisma/client';
import { signatureFinality } from '@/server/chain/node-statuses';
import type { Rpc } from '@/server/chain/rpc';
import { noteLongOpen } from '@/server/chain/undecided-transactions';
import type { Db } from '@/server/db/client';
import type { PaymentClaim } from './claim-payment';
import { DROPPED, type EndedPayment } from './find-payment';

/** A repeat of the request is better placed to finish it, so it gets this long to come. */
const QUIET_MS = 60_000;
/** How long one check of the sweep may take. */
const LEASE_MS = 30_000;

/** Forgets payments that were claimed and never signed, by a process that died: nothing moved. */
export async function forgetUnsigned(db: Db, now: Date): Promise<void> {
  await db.payment.deleteMany({ where: { state: 'claimed', leaseUntil: { lt: quiet(now) } } });
}

/**
 * Makes payments `unused` that are confirmed and whose request died before it wrote. Returns their
 * ids.
 */
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

/** Claims payments that were sent and that no request follows, oldest first; at most `limit`. */
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

function quiet(now: Date): Date {
  return new Date(now.getTime() - QUIET_MS);
}

/** Why a payment is unused although it was recorded as failed or dropped. */
const LANDED_AFTER_ALL = 'landed_after_all';

/**
 * Checks again a payment that ended as failed or dropped. Makes it `unused` if a node shows it as
 * final after all and a second node knows it too. So its payer can use it or get a refund. Returns
 * the payment as it is now, or null when it stays as it was. Throws RpcUnavailable, also while a
 * single node shows it: no answer may then say that nothing was charged, until the operator closes
 * it on record.
 */
export async function reviveLanded(
  o: { db: Db; rpc: Rpc; now: Date },
  payment: EndedPayment,
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
  { id: subject, createdAt: since }: EndedPayment,
  signature: string,
): Promise<boolean> {
  const reason = 'one node alone calls it final';
  const one = { signature, kind: 'payment', subject, reason, since, now } as const;
  return (await noteLongOpen(db, one)) === 'closed';
}
