import type { Prisma, Quote } from '@/generated/prisma/client';
import type { Db } from '@/server/db/client';
import { databaseNow } from '@/server/db/database-time';
import { MOST_AGE_MS } from './quote-times';

/** A page that is still there goes on by itself within this time. */
const QUIET_MS = 30_000;

/** A quote by its id, or null. */
export function findQuote(db: Db, id: string): Promise<Quote | null> {
  return db.quote.findUnique({ where: { id } });
}

/** Whether a quote can still be paid, by the database's clock. */
export async function isStillOpen(db: Db, quote: Pick<Quote, 'openUntil'>): Promise<boolean> {
  return quote.openUntil > (await databaseNow(db));
}

/**
 * Notes that a page prepared the payment of a quote, with the request that it buys. With `landsUntil` the
 * wallet sends by itself, so from now on it may be under way until that block height. While a preparation of a
 * proven wallet is under way, one without proof does not change it; other proven wallets, of which a transaction has
 * two, stand beside it. False when a signed payment of the quote is on record.
 */
export async function notePrepared(
  db: Pick<Db, '$executeRaw'>,
  o: {
    id: string;
    request: Prisma.InputJsonObject;
    landsUntil: bigint | null;
    /** The wallet that proved itself and sends by itself, or null. */
    preparedBy: string | null;
  },
): Promise<boolean> {
  const { id, landsUntil, preparedBy } = o;
  // The first time stands: whoever prepares again and again must not keep the sweep away.
  const count = await db.$executeRaw`
    update quotes set
      request = ${JSON.stringify(o.request)}::jsonb,
      prepared_at = coalesce(prepared_at, clock_timestamp()),
      payment_hint = null,
      may_be_sent = may_be_sent or ${landsUntil !== null},
      lands_until_height = case
        when may_be_sent and prepared_by is not null and ${preparedBy}::text is null then lands_until_height
        when may_be_sent then greatest(lands_until_height, ${landsUntil}::bigint)
        else ${landsUntil}::bigint end,
      prepared_by = case
        when not may_be_sent then ${preparedBy}::text
        when ${preparedBy}::text = any(string_to_array(prepared_by, ' ')) then prepared_by
        else nullif(concat_ws(' ', prepared_by, ${preparedBy}::text), '') end
    where id = ${id} and (payment_hint is null or not may_be_sent)`;
  return count === 1;
}

/**
 * Notes, before it is sent, the signature of the payment of a quote. False when another signed payment of it
 * may be under way: then this one must not be sent. A preparation that nobody signed is no obstacle.
 */
export async function noteSignature(
  db: Db,
  o: { id: string; signature: string; landsUntil: bigint },
): Promise<boolean> {
  const { count } = await db.quote.updateMany({
    where: {
      id: o.id,
      OR: [{ mayBeSent: false }, { paymentHint: null }, { paymentHint: o.signature }],
    },
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

/**
 * Other quotes for the same purchase whose payment may be under way. No limit: anybody may prepare one, and
 * none must hide that the purchase is already paid for.
 */
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
  });
}

/**
 * A page of the quotes whose payment a page prepared, that was then quiet for half a minute, and that may have
 * been paid; the oldest first, from after the last one of the page before. By the database's clock.
 */
export async function listPrepared(
  db: Db,
  o: { after: Pick<Quote, 'id' | 'preparedAt'> | undefined; limit: number },
): Promise<Quote[]> {
  const now = (await databaseNow(db)).getTime();
  const { id, preparedAt } = o.after ?? { id: '', preparedAt: null };
  return db.quote.findMany({
    where: {
      // A payment older than that buys nothing any more.
      preparedAt: { lt: new Date(now - QUIET_MS), gt: new Date(now - MOST_AGE_MS) },
      mayBeSent: true,
      ...(preparedAt === null
        ? {}
        : { OR: [{ preparedAt: { gt: preparedAt } }, { preparedAt, id: { gt: id } }] }),
    },
    orderBy: [{ preparedAt: 'asc' }, { id: 'asc' }],
    take: o.limit,
  });
}

/** Whether a wallet proved itself when it prepared the payment of a quote that it sends itself. */
export function isPreparedBy({ preparedBy }: Pick<Quote, 'preparedBy'>, wallet: string): boolean {
  return preparedBy?.split(' ').includes(wallet) ?? false;
}
