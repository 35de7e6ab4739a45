import type { Payment } from '@/generated/prisma/client';
import type { ErrorCode } from '@/server/errors';
import { USDC_DECIMALS, toDecimal } from '@quittance/verify/money';
import {
  isOpenAt,
  mayHaveBeenOpenBefore,
  MOST_AGE_MS,
  quoteIdsOf,
  type QuoteTerms,
  type RequestKey,
  wasOpenBefore,
} from './quotes';
import type { FeePayment } from './read-fee-payment';

/** How long the payer of a payment that bought nothing may still use it. */
export const UNUSED_AGE_MS = 90 * 24 * 3_600_000;

export type Judgement =
  /** It buys this request: by that quote, or null as a payment that had bought nothing. */
  | { verdict: 'buys'; quote: QuoteTerms | null; priceMicros: bigint }
  | { verdict: 'proof_needed' }
  /** `isOurs`: it was meant for us and bought nothing, so it stays at its payer's disposal. */
  | { verdict: 'refused'; code: ErrorCode; detail: string; isOurs: boolean };

export type JudgedPayment = {
  payment: FeePayment;
  /** The ledger's record of it; null when it was never presented. */
  known: Pick<Payment, 'state' | 'dialect' | 'requestSha256' | 'quoteId' | 'priceMicros'> | null;
  key: RequestKey;
  /** Current price of the request. Called only if the payment may count as one that bought nothing. */
  priceMicros: bigint;
  /** Quotes of this request that the payment may count for, newest first: see `quotesForPayment`. */
  own: readonly QuoteTerms[];
  /** Quotes that the payment's memos name. */
  named: readonly QuoteTerms[];
  /**
   * Whether a payment without memo could be meant for a quote of another request: see
   * `hasRivalQuote`. Without a rival it counts without proof. Null if it always needs a proof of
   * wallet.
   */
  hasRival: boolean | null;
  /**
   * Whether the purchase of the named quote can no longer be bought, because somebody else was
   * faster.
   */
  isNamedGone: boolean;
  /** Wallet that proved itself with this request. */
  caller: string | null;
  now: Date;
};

/**
 * Decides what a payment that arrived may buy. It tries, in this order:
 * 1. the request that we settled it for
 * 2. the quote that its memo names
 * 3. without a memo, a quote of the request that was open in its block at exactly its price
 * 4. a request of its payer, if it bought nothing before
 *
 * A signature is public, so nothing else binds a payment to a request.
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
  // Only our payers write such memos, even if the quote is no longer kept.
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
  return buysBy(mine);
}

/**
 * A payment that we settled for this request and that was interrupted. Its payer signed it for this
 * request. Once its quote is deleted, it buys the request at today's price, if that is no more than
 * what was paid.
 */
function judgeSettled(o: JudgedPayment): Judgement | null {
  const { known, key, own, payment, now } = o;
  if (known?.state !== 'unused' || known.dialect === 'documented') return null;
  if (known.requestSha256 !== key.requestSha256 || known.priceMicros === null) return null;
  if (isOlder(payment, now, UNUSED_AGE_MS)) return tooOld(true);
  const quote = own.find(({ id }) => id === known.quoteId) ?? null;
  if (quote === null && o.priceMicros > known.priceMicros) return null;
  return { verdict: 'buys', quote, priceMicros: known.priceMicros };
}

function judgeUnused(o: JudgedPayment): Judgement {
  const { payment, caller, now, priceMicros } = o;
  if (isOlder(payment, now, UNUSED_AGE_MS)) return tooOld(true);
  if (caller !== payment.payer) return { verdict: 'proof_needed' };
  if (payment.amountMicros < priceMicros) return tooLittle(payment, priceMicros, true);
  return { verdict: 'buys', quote: null, priceMicros };
}

/**
 * A payment without memo, which anybody may present. With a proof of wallet, its payer may use it
 * for any quote of the request at its price. The quote may have been open in its block. Without
 * proof it counts for the newest quote only, if that was certainly open before its block and no
 * other request is a rival.
 */
function judgeBare(o: JudgedPayment): Judgement {
  const { payment, own, caller } = o;
  if (isOlder(payment, o.now, MOST_AGE_MS)) return tooOld(false);
  const isPayer = caller === payment.payer;
  const atItsPrice = own.filter(({ priceMicros }) => priceMicros === payment.amountMicros);
  const mine =
    atItsPrice.find((one) => wasOpenBefore(one, payment)) ??
    atItsPrice.find((one) => mayHaveBeenOpenBefore(one, payment));
  if (isPayer && mine) return buysBy(mine);
  const latest = own.find((one) => mayHaveBeenOpenBefore(one, payment));
  if (!latest) return refusedWithoutQuote();
  const isCertain = wasOpenBefore(latest, payment);
  if (!isCertain && mine) return { verdict: 'proof_needed' };
  if (latest.priceMicros !== payment.amountMicros) return refusedAsInexact(payment, latest);
  const isBound = o.hasRival !== false || isBoundToAnother(o);
  return isBound ? { verdict: 'proof_needed' } : buysBy(latest);
}

/**
 * Whether the ledger knows the payment as one of another request, or as signed for one: then it is
 * its payer's. A note without a request binds it to none, because the presenter did not prove to be
 * its payer.
 */
function isBoundToAnother({ known, key }: JudgedPayment): boolean {
  if (known === null || known.requestSha256 === key.requestSha256) return false;
  return known.requestSha256 !== '' && known.state === 'unused';
}

function buysBy(quote: QuoteTerms): Judgement {
  return { verdict: 'buys', quote, priceMicros: quote.priceMicros };
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

function refusedWithoutQuote(): Judgement {
  return refused('payment_without_quote', 'no quote of this request was open in its block', false);
}

/** A payer who got a price paid us, so a payment that bought nothing stays the payer's. */
function refusedAsInexact(payment: FeePayment, { priceMicros }: QuoteTerms): Judgement {
  if (payment.amountMicros < priceMicros) return tooLittle(payment, priceMicros, true);
  return refused(
    'payment_not_exact',
    `it pays ${toDecimal(payment.amountMicros, USDC_DECIMALS)} USDC without a memo, and the quote was ${toDecimal(priceMicros, USDC_DECIMALS)} USDC`,
    true,
  );
}

function refused(code: ErrorCode, detail: string, isOurs: boolean): Judgement {
  return { verdict: 'refused', code, detail, isOurs };
}
