import { Prisma, type PrismaClient } from '@/generated/prisma/client';
import { newestSlot } from '@/server/chain/chain-order';
import type { Rpc } from '@/server/chain/rpc';
import type { Db } from '@/server/db/client';
import { databaseNow } from '@/server/db/database-clock';
import { repeatTransaction } from '@/server/db/repeat-transaction';
import { ServiceError } from '@/server/errors';
import type { Ids } from '@/server/ids';
import { KEPT_MS, OPEN_MS, type QuoteTerms, type RequestKey } from './quotes';

/** An offer that is requested again with less time left than this is prolonged. */
const PROLONG_BELOW_MS = 15 * 60_000;

export type QuoteWish = {
  key: RequestKey;
  priceMicros: bigint;
  payTo: string;
  /** The transaction of the receipt, with the two wallets that may pay for it; otherwise null. */
  transaction: { signature: string; payer: string; seller: string } | null;
  wallet: string | null;
  /** The inputs of the price. They are part of the purchase. */
  frozen: Prisma.InputJsonObject;
  /** The offer, as `digest` in `frozen`, if the price alone does not define it; otherwise null. */
  digest: string | null;
  /** The client, for the limit of open quotes of one path; null for no limit. */
  clientHash: string;
  mostOpenQuotes: number | null;
};

/**
 * The quote of a request: the open one when it still offers the same at the same price, otherwise a
 * new one. Older quotes can be paid until they end. A quote that has bought something is not
 * offered again. All times are the database's. A new quote notes the newest slot of the chain, or
 * null where too few nodes answer or they contradict each other (`newestSlot`). Throws 429 when the
 * client has too many open.
 */
export async function openQuote(
  service: { db: PrismaClient; rpc: Pick<Rpc, 'nodes' | 'onNode'>; ids: Pick<Ids, 'quoteId'> },
  wish: QuoteWish,
): Promise<QuoteTerms> {
  const { db, rpc, ids } = service;
  const now = await databaseNow(db);
  const open = await findSameQuote(db, wish, now);
  if (open) return prolong(db, open, now);
  const openedSlot = await newestSlot(rpc, now);
  return repeatTransaction(db, async (tx) => {
    // Simultaneous first requests get one quote together.
    await tx.$executeRaw`select pg_advisory_xact_lock(hashtextextended(${wish.key.requestSha256}, 0))`;
    const createdAt = await databaseNow(tx);
    const meanwhile = await findSameQuote(tx, wish, createdAt);
    if (meanwhile) return meanwhile;
    await refuseTooMany(tx, wish, createdAt);
    return tx.quote.create({
      omit: { frozen: true },
      data: { id: ids.quoteId(), openedSlot, createdAt, ...termsOf(wish), ...endsFrom(createdAt) },
    });
  });
}

function termsOf({ key, transaction, ...wish }: QuoteWish) {
  return {
    method: key.method,
    path: key.path,
    bodySha256: key.bodySha256,
    priceMicros: wish.priceMicros,
    payTo: wish.payTo,
    txSignature: transaction?.signature ?? null,
    txPayer: transaction?.payer ?? null,
    txSeller: transaction?.seller ?? null,
    wallet: wish.wallet,
    frozen: wish.frozen,
    clientHash: wish.clientHash,
  };
}

/** When a quote ends that is offered now, and until when it is kept. */
function endsFrom(now: Date): { openUntil: Date; keepUntil: Date } {
  return {
    openUntil: new Date(now.getTime() + OPEN_MS),
    keepUntil: new Date(now.getTime() + OPEN_MS + KEPT_MS),
  };
}

async function findSameQuote(db: Db, wish: QuoteWish, now: Date): Promise<QuoteTerms | null> {
  const { key, priceMicros, payTo, digest } = wish;
  const newest = await db.quote.findFirst({
    where: {
      method: key.method,
      path: key.path,
      bodySha256: key.bodySha256,
      payTo,
      openUntil: { gt: now },
      // If the price alone defines the offer, any open quote at that price is used.
      ...(digest === null ? { priceMicros } : {}),
    },
    orderBy: [{ createdAt: 'desc' }, { id: 'desc' }],
    omit: { frozen: true },
  });
  if (!newest || newest.priceMicros !== priceMicros) return null;
  if (digest === null) return newest;
  const isSame = await db.quote.count({
    where: { id: newest.id, frozen: { path: ['digest'], equals: digest } },
  });
  const isBought = await db.payment.count({ where: { quoteId: newest.id, state: 'used' } });
  return isSame > 0 && isBought === 0 ? newest : null;
}

/** Counts one at a time, so that simultaneous requests cannot pass the limit together. */
async function refuseTooMany(tx: Db, wish: QuoteWish, now: Date): Promise<void> {
  const { clientHash, mostOpenQuotes, key } = wish;
  if (mostOpenQuotes === null) return;
  await tx.$executeRaw`select pg_advisory_xact_lock(hashtextextended(${clientHash}, 1))`;
  const refusal = await tooManyQuotes(tx, { clientHash, path: key.path, mostOpenQuotes, now });
  if (refusal) throw refusal;
}

/**
 * The 429 of a client that already has the maximum number of open quotes of a path; null below it.
 */
export async function tooManyQuotes(
  db: Db,
  o: { clientHash: string; path: string; mostOpenQuotes: number; now: Date },
): Promise<ServiceError | null> {
  const { clientHash, path, mostOpenQuotes, now } = o;
  const open = await db.quote.findMany({
    where: { clientHash, path, openUntil: { gt: now } },
    orderBy: { openUntil: 'asc' },
    take: mostOpenQuotes,
    select: { id: true, openUntil: true },
  });
  const [first] = open;
  if (!first || open.length < mostOpenQuotes) return null;
  return new ServiceError(
    'too_many_quotes',
    `This address has ${mostOpenQuotes} offers open that are not paid. Pay one of them, or try again later.`,
    { retryAfterS: Math.ceil((first.openUntil.getTime() - now.getTime()) / 1000) },
  );
}

/** Whether a client was given a quote of this request that is still open. */
export async function hasOpenQuote(
  db: Db,
  o: { clientHash: string; key: RequestKey; now: Date },
): Promise<boolean> {
  const { clientHash, key, now } = o;
  const { path, bodySha256 } = key;
  const open = { clientHash, path, bodySha256, openUntil: { gt: now } };
  return (await db.quote.count({ where: open })) > 0;
}

/**
 * A quote that is requested again ends later, and nothing else about it changes. The order in which
 * quotes were opened decides which one a payment without memo counts for. So a stranger who asks
 * again changes nothing about that.
 */
async function prolong(db: Db, quote: QuoteTerms, now: Date): Promise<QuoteTerms> {
  if (quote.openUntil.getTime() - now.getTime() > PROLONG_BELOW_MS) return quote;
  return db.quote.update({
    where: { id: quote.id },
    omit: { frozen: true },
    data: endsFrom(now),
  });
}

/** Deletes quotes that no payment can count for any more, by the database's clock; at most `limit` at once. */
export async function deleteOldQuotes(db: Db, limit: number): Promise<void> {
  await db.$executeRaw(Prisma.sql`
    delete from quotes where id in
      (select id from quotes where keep_until < clock_timestamp() order by keep_until limit ${limit})`);
}
