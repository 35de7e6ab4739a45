import type { Quote } from '@/generated/prisma/client';
import type { Db } from '@/server/db/client';
import { QUOTE_ID } from '@/server/ids';
import type { RequestKey } from './request-key';

/** More quotes of one request than prices can have changed while they are kept. */
const MOST_QUOTES = 200;

/** Quotes that a request was given and that are still kept, newest first. */
export function quotesOfRequest(db: Db, key: RequestKey): Promise<Quote[]> {
  const { method, path, bodySha256 } = key;
  return db.quote.findMany({
    where: { method, path, bodySha256 },
    orderBy: [{ createdAt: 'desc' }, { id: 'desc' }],
    take: MOST_QUOTES,
  });
}

/** Quotes that the memos of a payment name. A memo of any other form is the payer's own business. */
export async function quotesOfMemos(db: Db, memos: readonly string[]): Promise<Quote[]> {
  const ids = quoteIdsOf(memos);
  return ids.length === 0 ? [] : db.quote.findMany({ where: { id: { in: ids } } });
}

/** Ids of quotes among the memos of a payment, each once. */
export function quoteIdsOf(memos: readonly string[]): string[] {
  return [...new Set(memos.filter((memo) => QUOTE_ID.test(memo)))];
}
