import type { Payment } from '@/generated/prisma/client';
import type { Rpc } from '@/server/chain/rpc';
import { RpcUnavailable } from '@quittance/verify/chain/rpc-errors';
import { signatureFinality } from '@/server/chain/signature-finality';
import { noteLongOpen } from '@/server/chain/undecided';
import type { Db } from '@/server/db/client';

type Named = Pick<Payment, 'id' | 'signature' | 'state' | 'reason' | 'createdAt'>;

/** Why a payment is unused whose end had been put down wrongly. */
const LANDED_AFTER_ALL = 'landed_after_all';
const DROPPED = 'payment_dropped';

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
