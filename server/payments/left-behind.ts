import { Prisma } from '@/generated/prisma/client';
import type { Db } from '@/server/db/client';
import type { PaymentClaim } from './claim-payment';

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
