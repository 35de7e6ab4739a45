import type { Prisma, Quote } from '@/generated/prisma/client';
import type { Db } from '@/server/db/client';

/** A payment older than this buys nothing any more (see judge-payment.ts). */
const PAYABLE_MS = 48 * 3_600_000;

/** A quote by its id, or null. */
export function findQuote(db: Db, id: string): Promise<Quote | null> {
  return db.quote.findUnique({ where: { id } });
}

/**
 * Notes that a page prepared the payment of a quote, with the request that it buys. With `landsUntil` the
 * wallet sends by itself, so from now on it may be under way until that block height.
 */
export async function notePrepared(
  db: Db,
  o: { id: string; request: Prisma.InputJsonObject; landsUntil: bigint | null; now: Date },
): Promise<void> {
  await db.quote.update({
    where: { id: o.id },
    data: {
      request: o.request,
      preparedAt: o.now,
      paymentHint: null,
      mayBeSent: o.landsUntil !== null,
      landsUntil: o.landsUntil,
    },
  });
}

/**
 * Notes, before it is sent, the signature of the payment of a quote. False when another payment of it may
 * be under way: then this one must not be sent.
 */
export async function noteSignature(
  db: Db,
  o: { id: string; signature: string; landsUntil: bigint },
): Promise<boolean> {
  const { count } = await db.quote.updateMany({
    where: { id: o.id, OR: [{ mayBeSent: false }, { paymentHint: o.signature }] },
    data: { paymentHint: o.signature, mayBeSent: true, landsUntil: o.landsUntil },
  });
  return count === 1;
}

/** Notes that the payment which may have been under way did not land and no longer can. */
export async function forgetSent(db: Db, quote: Pick<Quote, 'id' | 'paymentHint'>): Promise<void> {
  await db.quote.updateMany({
    where: { id: quote.id, paymentHint: quote.paymentHint },
    data: { paymentHint: null, mayBeSent: false, landsUntil: null },
  });
}

/** Notes that nothing more is to be found out about the payment of a quote. */
export async function closeFollowed(db: Db, id: string): Promise<void> {
  await db.quote.updateMany({ where: { id }, data: { mayBeSent: false } });
}

/** Other quotes for the same purchase whose payment may be under way; at most a handful. */
export function sentForSame(
  db: Db,
  quote: Pick<Quote, 'id' | 'txSignature' | 'path' | 'bodySha256'>,
): Promise<Quote[]> {
  const { id, txSignature, path, bodySha256 } = quote;
  return db.quote.findMany({
    where: {
      mayBeSent: true,
      id: { not: id },
      // There is one receipt of a transaction, whatever is written on it.
      ...(txSignature === null ? { path, bodySha256 } : { txSignature }),
    },
    orderBy: { createdAt: 'desc' },
    take: 5,
  });
}

/**
 * A page of the quotes that were prepared before `quietSince` and that may have been paid; the oldest
 * first, from after the last one of the page before.
 */
export function listPrepared(
  db: Db,
  o: {
    now: Date;
    quietSince: Date;
    after: Pick<Quote, 'id' | 'preparedAt'> | undefined;
    limit: number;
  },
): Promise<Quote[]> {
  const { id, preparedAt } = o.after ?? { id: '', preparedAt: null };
  return db.quote.findMany({
    where: {
      preparedAt: { lt: o.quietSince, gt: new Date(o.now.getTime() - PAYABLE_MS) },
      mayBeSent: true,
      ...(preparedAt === null
        ? {}
        : { OR: [{ preparedAt: { gt: preparedAt } }, { preparedAt, id: { gt: id } }] }),
    },
    orderBy: [{ preparedAt: 'asc' }, { id: 'asc' }],
    take: o.limit,
  });
}
