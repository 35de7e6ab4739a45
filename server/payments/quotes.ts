import { createHash } from 'node:crypto';
import canonicalize from 'canonicalize';
import { Prisma, type Quote } from '@/generated/prisma/client';
import type { Db } from '@/server/db/client';
import { QUOTE_ID } from '@/server/ids';
import type { FeePayment } from './read-fee-payment';

/** Identity of a request: method, path and the canonical JSON (RFC 8785) of the parsed body. */
export type RequestKey = {
  method: 'POST';
  path: string;
  /** Hex sha256 of the canonical body. */
  bodySha256: string;
  /** Hex sha256 over all three. */
  requestSha256: string;
};

/** The key of a request. Fields that are undefined count as not sent. */
export function keyOfRequest(o: { method: 'POST'; path: string; body: object }): RequestKey {
  const { method, path } = o;
  const bodySha256 = sha256(canonicalize(o.body) ?? '');
  return { method, path, bodySha256, requestSha256: sha256(`${method} ${path} ${bodySha256}`) };
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

/** How long a quote can be paid. */
export const OPEN_MS = 30 * 60_000;
/** Oldest payment that still buys by a quote. */
export const MOST_AGE_MS = 48 * 3_600_000;
/** Block times are a vote of the validators and may be off by so much. */
export const SLACK_MS = 120_000;
/** A payment made at the last moment meets its quote and all rivals of it for as long as it buys. */
export const KEPT_MS = MOST_AGE_MS + 2 * SLACK_MS;
/** A node may lag, so a quote counts as opened before a block only so many slots later. */
const LEAST_SLOTS = 4n;

type Times = Pick<Quote, 'createdAt' | 'openUntil' | 'openedSlot'>;
type Block = Pick<FeePayment, 'slot' | 'blockTime'>;

/**
 * Whether a quote can be paid at a moment, within the tolerance of block times. For payments by
 * memo.
 */
export function isOpenAt(quote: Times, at: Date): boolean {
  return quote.createdAt.getTime() - SLACK_MS <= at.getTime() && !hasEnded(quote, at);
}

/**
 * Whether a quote was certainly opened before a block and had not ended in it. Then a payment
 * without memo in that block was made by somebody who could know it. Slots decide this, because no
 * two clocks agree. The times only limit how far all nodes may have lagged.
 */
export function wasOpenBefore(quote: Times, block: Block): boolean {
  const { openedSlot } = quote;
  return (
    openedSlot !== null &&
    block.slot >= openedSlot + LEAST_SLOTS &&
    isOpenAt(quote, block.blockTime)
  );
}

/**
 * Whether a quote may have been opened before a block and had not ended in it, without certainty.
 * The quote is within the slots that nodes may lag, is possible by its times, or has no slot.
 */
export function mayHaveBeenOpenBefore(quote: Times, block: Block): boolean {
  const { openedSlot, createdAt } = quote;
  if (hasEnded(quote, block.blockTime)) return false;
  if (openedSlot === null) return isOpenAt(quote, block.blockTime);
  return block.slot >= openedSlot || createdAt.getTime() <= block.blockTime.getTime();
}

function hasEnded(quote: Times, at: Date): boolean {
  return at.getTime() > quote.openUntil.getTime() + SLACK_MS;
}

/** A quote without its frozen data, which may be large: see {@link frozenOf}. */
export type QuoteTerms = Omit<Quote, 'frozen'>;
const TERMS = { frozen: true } as const;
const NEWEST_FIRST = [{ createdAt: 'desc' as const }, { id: 'desc' as const }];

/** The data frozen with a quote; undefined when the quote is no longer kept. */
export async function frozenOf(db: Db, quoteId: string): Promise<unknown> {
  const quote = await db.quote.findUnique({ where: { id: quoteId }, select: { frozen: true } });
  return quote?.frozen;
}

/** The newest quote of a request that is still kept, or null. */
export function newestQuote(
  db: Db,
  key: RequestKey,
  o: { openAt?: Date } = {},
): Promise<QuoteTerms | null> {
  return db.quote.findFirst({
    where: { ...ofRequest(key), ...(o.openAt ? { openUntil: { gte: before(o.openAt) } } : {}) },
    orderBy: NEWEST_FIRST,
    omit: TERMS,
  });
}

/**
 * Quotes of a request that a payment may count for, newest first. They had not ended in its block,
 * or have one of these ids. No limit: a stranger who opens many must not hide one of them.
 */
export function quotesForPayment(
  db: Db,
  o: { key: RequestKey; payment: FeePayment; ids: readonly string[] },
): Promise<QuoteTerms[]> {
  return db.quote.findMany({
    where: {
      ...ofRequest(o.key),
      OR: [{ openUntil: { gte: before(o.payment.blockTime) } }, { id: { in: [...o.ids] } }],
    },
    orderBy: NEWEST_FIRST,
    omit: TERMS,
  });
}

/** One quote of a request by its id; null when it is of another request or not kept. */
export function quoteOfRequest(db: Db, key: RequestKey, id: string): Promise<QuoteTerms | null> {
  return db.quote.findFirst({ where: { ...ofRequest(key), id }, omit: TERMS });
}

/**
 * Whether a payment without memo could be meant for a quote of another request. Such a quote has
 * the same price, had not ended in its block and was not opened after it. It is for its payer or
 * for a transaction of its payer. A quote of /mint whose parties are not on record counts for every
 * wallet. A quote without a slot counts by the time it was opened. The database answers over all
 * quotes, of every client.
 */
export async function hasRivalQuote(
  db: Pick<Db, '$queryRaw'>,
  o: { key: RequestKey; payment: FeePayment },
): Promise<boolean> {
  const { method, path, bodySha256 } = o.key;
  const { payer, amountMicros, slot, blockTime } = o.payment;
  const [row] = await db.$queryRaw<{ found: boolean }[]>(Prisma.sql`
    select exists (
      select 1 from quotes
      where price_micros = ${amountMicros}
        and open_until >= ${before(blockTime)}
        and (wallet = ${payer} or tx_payer = ${payer} or tx_seller = ${payer}
          or (tx_signature is not null and tx_payer is null))
        and (opened_slot <= ${slot} or created_at <= ${blockTime}
          or (opened_slot is null and created_at <= ${new Date(blockTime.getTime() + SLACK_MS)}))
        and not (method = ${method} and path = ${path} and body_sha256 = ${bodySha256})
    ) as found`);
  if (!row) throw new Error('the database did not answer whether there are rival quotes');
  return row.found;
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

function ofRequest({ method, path, bodySha256 }: RequestKey) {
  return { method, path, bodySha256 };
}

function before(at: Date): Date {
  return new Date(at.getTime() - SLACK_MS);
}
