import type { Prisma, PrismaClient, Quote } from '@/generated/prisma/client';
import type { Clock } from '@/server/clock';
import type { Db } from '@/server/db/client';
import type { Ids } from '@/server/ids';
import type { RequestKey } from './request-key';

/** How long a quote can be paid, and how long a payment made in time can be presented. */
const OPEN_MS = 30 * 60_000;
const KEPT_MS = 48 * 3_600_000;
/** An offer that is asked for again with less left than this is prolonged. */
const PROLONG_BELOW_MS = 15 * 60_000;

export type QuoteWish = {
  key: RequestKey;
  priceMicros: bigint;
  payTo: string;
  txSignature: string | null;
  wallet: string | null;
  /** What the price was made from; goes into what is bought. */
  frozen: Prisma.InputJsonObject;
};

/**
 * The quote of a request: the open one when it still offers the same price, else a new one. Older quotes
 * at other prices stay payable until they end.
 */
export async function openQuote(
  service: { db: PrismaClient; clock: Clock; ids: Pick<Ids, 'quoteId'> },
  wish: QuoteWish,
): Promise<Quote> {
  const now = service.clock.now();
  const open = await findSameQuote(service.db, wish, now);
  if (open) return prolong(service.db, open, now);
  return service.db.$transaction(async (tx) => {
    // First requests that come together get one quote between them.
    await tx.$executeRaw`select pg_advisory_xact_lock(hashtextextended(${wish.key.requestSha256}, 0))`;
    const meanwhile = await findSameQuote(tx, wish, now);
    if (meanwhile) return meanwhile;
    const { key, ...rest } = wish;
    return tx.quote.create({
      data: {
        id: service.ids.quoteId(),
        method: key.method,
        path: key.path,
        bodySha256: key.bodySha256,
        ...rest,
        createdAt: now,
        openUntil: new Date(now.getTime() + OPEN_MS),
        keepUntil: new Date(now.getTime() + OPEN_MS + KEPT_MS),
      },
    });
  });
}

function findSameQuote(db: Db, wish: QuoteWish, now: Date): Promise<Quote | null> {
  const { key, priceMicros, payTo } = wish;
  return db.quote.findFirst({
    where: {
      method: key.method,
      path: key.path,
      bodySha256: key.bodySha256,
      priceMicros,
      payTo,
      openUntil: { gt: now },
    },
    orderBy: [{ createdAt: 'desc' }, { id: 'desc' }],
  });
}

async function prolong(db: Db, quote: Quote, now: Date): Promise<Quote> {
  if (quote.openUntil.getTime() - now.getTime() > PROLONG_BELOW_MS) return quote;
  return db.quote.update({
    where: { id: quote.id },
    data: {
      openUntil: new Date(now.getTime() + OPEN_MS),
      keepUntil: new Date(now.getTime() + OPEN_MS + KEPT_MS),
    },
  });
}
