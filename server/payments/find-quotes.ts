import type { Quote } from '@/generated/prisma/client';
import type { Db } from '@/server/db/client';
import { QUOTE_ID } from '@/server/ids';
import type { RequestKey } from './request-key';

/** More quotes of one request than prices can have changed while they are kept. */
const MOST_QUOTES = 200;

/** A quote without what was frozen with it, which may be large: see {@link frozenOf}. */
export type QuoteTerms = Omit<Quote, 'frozen'>;
const TERMS = { frozen: true } as const;

/** What was frozen with a quote; undefined when the quote is no longer kept. */
export async function frozenOf(db: Db, quoteId: string): Promise<unknown> {
  const quote = await db.quote.findUnique({ where: { id: quoteId }, select: { frozen: true } });
  return quote?.frozen;
}

/** Quotes that a request was given and that are still kept, newest first. */
export function quotesOfRequest(db: Db, key: RequestKey): Promise<QuoteTerms[]> {
  const { method, path, bodySha256 } = key;
  return db.quote.findMany({
    where: { method, path, bodySha256 },
    orderBy: [{ createdAt: 'desc' }, { id: 'desc' }],
    take: MOST_QUOTES,
    omit: TERMS,
  });
}

/**
 * Quotes of other requests that name this wallet and can be paid at a moment, at one price; `slackMs` is
 * what the moment may be off by. One is enough to know that a payment without memo is ambiguous.
 */
export function rivalQuotes(
  db: Db,
  o: { key: RequestKey; wallet: string; at: Date; slackMs: number },
): Promise<QuoteTerms[]> {
  const { key, wallet, at, slackMs } = o;
  return db.quote.findMany({
    where: {
      wallet,
      openUntil: { gte: new Date(at.getTime() - slackMs) },
      createdAt: { lte: new Date(at.getTime() + slackMs) },
      NOT: { method: key.method, path: key.path, bodySha256: key.bodySha256 },
    },
    orderBy: [{ createdAt: 'desc' }, { id: 'desc' }],
    take: MOST_QUOTES,
    omit: TERMS,
  });
}

/** Quotes that the memos of a payment name. A memo of any other form is the payer's own business. */
export async function quotesOfMemos(db: Db, memos: readonly string[]): Promise<QuoteTerms[]> {
  const ids = quoteIdsOf(memos);
  return ids.length === 0 ? [] : db.quote.findMany({ where: { id: { in: ids } }, omit: TERMS });
}

/** Ids of quotes among the memos of a payment, each once. */
export function quoteIdsOf(memos: readonly string[]): string[] {
  return [...new Set(memos.filter((memo) => QUOTE_ID.test(memo)))];
}
