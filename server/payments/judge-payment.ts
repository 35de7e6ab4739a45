import type { Payment } from '@/generated/prisma/client';
import type { ErrorCode } from '@/server/errors';
import { USDC_DECIMALS, toDecimal } from '@/server/money';
import { quoteIdsOf, type QuoteTerms } from './find-quotes';
import type { FeePayment } from './read-fee-payment';
import type { RequestKey } from './request-key';

/** Oldest payment that still buys, and how long one that bought nothing stays its payer's. */
const MOST_AGE_MS = 48 * 3_600_000;
export const UNUSED_AGE_MS = 90 * 24 * 3_600_000;
/** Block times are a vote of the validators and may be off by so much. */
export const SLACK_MS = 120_000;

export type Judgement =
  /** It buys this request: by that quote, or null as a payment that had bought nothing. */
  | { verdict: 'buys'; quote: QuoteTerms | null; priceMicros: bigint }
  | { verdict: 'proof_needed' }
  /** `isOurs`: it was meant for us and bought nothing, so it stays at its payer's disposal. */
  | { verdict: 'refused'; code: ErrorCode; detail: string; isOurs: boolean };

export type JudgedPayment = {
  payment: FeePayment;
  /** What the ledger knows of it; null when it was never presented. */
  known: Pick<Payment, 'state' | 'dialect' | 'requestSha256' | 'quoteId' | 'priceMicros'> | null;
  key: RequestKey;
  /** Price of the request now; asked for only where the payment may count as one that bought nothing. */
  priceMicros: bigint;
  /** Quotes of this request, newest first. */
  own: readonly QuoteTerms[];
  /** Quotes that the payment's memos name. */
  named: readonly QuoteTerms[];
  /**
   * Open quotes of other requests of the wallet that the request is for: without one at the same price,
   * a payment without memo counts as it is. Null where it always takes a proof of wallet.
   */
  rivals: readonly QuoteTerms[] | null;
  /** Whether what the named quote was for can no longer be bought, as somebody else was faster. */
  isNamedGone: boolean;
  /** Wallet that proved itself with this request. */
  caller: string | null;
  now: Date;
};

/**
 * What a payment that arrived is good for, in this order: the request that we settled it for; the quote
 * its memo names; without a memo, the newest quote of the request that was open in its block, exactly
 * paid and presented by its payer (or, for a route that allows it, the only one it can be for); as one that bought nothing before, a request of its payer. A signature
 * is public, so nothing else binds.
 */
export function judgePayment(o: JudgedPayment): Judgement {
  const byQuote = judgeSettled(o) ?? judgeMemo(o) ?? judgeBare(o);
  const isUnused = o.known?.state === 'unused' || o.isNamedGone;
  return byQuote.verdict === 'buys' || !isUnused ? byQuote : judgeUnused(o);
}

/** Null when the payment names no quote at all. */
function judgeMemo(o: JudgedPayment): Judgement | null {
  const { payment, own, named, now } = o;
  const ids = quoteIdsOf(payment.memos);
  if (ids.length === 0) return null;
  // Only our payers write such memos, also when the quote itself is no longer kept.
  if (isOlder(payment, now, MOST_AGE_MS)) return tooOld(true);
  const mine = own.find(({ id }) => id === ids[0]);
  if (ids.length > 1 || !mine)
    return refused(
      'payment_for_another_request',
      `it names the quote ${ids.join(' and ')}, which is not of this request`,
      // One quote that is known may still be bought with it.
      named.length === 0 || ids.length > 1,
    );
  if (!isOpenAt(mine, payment.blockTime))
    return refused('payment_quote_closed', `the quote ${mine.id} was not open in its block`, true);
  if (payment.amountMicros < mine.priceMicros) return tooLittle(payment, mine.priceMicros, true);
  return { verdict: 'buys', quote: mine, priceMicros: mine.priceMicros };
}

/** A payment that we settled for this very request and that was interrupted: its payer signed it for that. */
function judgeSettled(o: JudgedPayment): Judgement | null {
  const { known, key, own, payment, now } = o;
  if (known?.state !== 'unused' || known.dialect === 'documented') return null;
  if (known.requestSha256 !== key.requestSha256 || known.priceMicros === null) return null;
  if (isOlder(payment, now, UNUSED_AGE_MS)) return tooOld(true);
  const quote = own.find(({ id }) => id === known.quoteId) ?? null;
  return { verdict: 'buys', quote, priceMicros: known.priceMicros };
}

function judgeUnused(o: JudgedPayment): Judgement {
  const { payment, caller, now, priceMicros } = o;
  if (isOlder(payment, now, UNUSED_AGE_MS)) return tooOld(true);
  if (caller !== payment.payer) return { verdict: 'proof_needed' };
  if (payment.amountMicros < priceMicros) return tooLittle(payment, priceMicros, true);
  return { verdict: 'buys', quote: null, priceMicros };
}

function judgeBare(o: JudgedPayment): Judgement {
  const { payment, own, caller } = o;
  if (isOlder(payment, o.now, MOST_AGE_MS)) return tooOld(false);
  const quote = newestAt(own, payment);
  if (!quote)
    return refused(
      'payment_without_quote',
      'no quote of this request was open in its block',
      false,
    );
  // Somebody who was told a price paid us: what bought nothing stays the payer's.
  if (payment.amountMicros < quote.priceMicros) return tooLittle(payment, quote.priceMicros, true);
  if (payment.amountMicros > quote.priceMicros)
    return refused(
      'payment_not_exact',
      `it pays ${toDecimal(payment.amountMicros, USDC_DECIMALS)} USDC without a memo, and the quote was ${toDecimal(quote.priceMicros, USDC_DECIMALS)} USDC`,
      true,
    );
  const { priceMicros } = quote;
  const isOnly =
    o.rivals !== null &&
    !o.rivals.some((one) => one.priceMicros === priceMicros && isOpenAt(one, payment.blockTime));
  if (caller !== payment.payer && !isOnly) return { verdict: 'proof_needed' };
  return { verdict: 'buys', quote, priceMicros };
}

/**
 * The newest quote that was open in the payment's block. Block times are off by some seconds, so one that
 * was given shortly after, by our clock, counts where it alone has the very price.
 */
function newestAt(own: readonly QuoteTerms[], payment: FeePayment): QuoteTerms | undefined {
  const at = payment.blockTime.getTime();
  const open = own.filter((one) => isOpenAt(one, payment.blockTime));
  const before = open.find(({ createdAt }) => createdAt.getTime() <= at);
  const isExact = (one: QuoteTerms) => one.priceMicros === payment.amountMicros;
  if (before && isExact(before)) return before;
  const after = open.filter((one) => one.createdAt.getTime() > at && isExact(one)).at(-1);
  return after ?? before ?? open[0];
}

/** Whether a quote can be paid at a moment, give or take what block times are off by. */
export function isOpenAt(quote: QuoteTerms, blockTime: Date): boolean {
  const at = blockTime.getTime();
  return quote.createdAt.getTime() - SLACK_MS <= at && at <= quote.openUntil.getTime() + SLACK_MS;
}

function isOlder({ blockTime }: FeePayment, now: Date, ageMs: number): boolean {
  return now.getTime() - blockTime.getTime() > ageMs;
}

function tooOld(isOurs: boolean): Judgement {
  return refused('payment_too_old', 'it was made too long ago', isOurs);
}

function tooLittle(payment: FeePayment, priceMicros: bigint, isOurs: boolean): Judgement {
  return refused(
    'payment_too_little',
    `it pays ${toDecimal(payment.amountMicros, USDC_DECIMALS)} USDC of ${toDecimal(priceMicros, USDC_DECIMALS)} USDC`,
    isOurs,
  );
}

function refused(code: ErrorCode, detail: string, isOurs: boolean): Judgement {
  return { verdict: 'refused', code, detail, isOurs };
}
