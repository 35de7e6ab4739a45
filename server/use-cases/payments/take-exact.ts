import { databaseNow } from '@/server/db/database-clock';
import { isCoolingDown, spentFailures } from '@/server/payments/cool-down';
import { verifyExact } from '@/server/payments/facilitator/verify-exact';
import {
  isOpenAt,
  newestQuote,
  quoteIdsOf,
  quoteOfRequest,
  type QuoteTerms,
} from '@/server/payments/quotes';
import type { ExactPayment } from '@/server/payments/read-payment-header';
import { earlierPayment } from './earlier-payment';
import { findKnown } from './look-for-payment';
import type { Purchase, Taken } from './purchase';
import { inProgress, paymentDue, quoteFor, salesClosed, settlingRefused } from './refuse-payment';
import { claimTogether, endOf, failure, settleClaimed, standingOf } from './settle-claimed';
import { takeDocumented } from './take-documented';
import type { Call } from '../call';

/**
 * Takes a payment that the payer signed and we settle (x402 v1 and v2). Every check that could
 * refuse the request comes before the claim, and the claim comes before the settlement. The
 * signature is on record before the payment is sent, so a repeat resumes where the last request was
 * cut off.
 */
export async function takeExact<Reserved>(
  call: Call,
  purchase: Purchase<Reserved>,
  presented: ExactPayment,
): Promise<Taken<Reserved>> {
  const known = await findKnown(call, presented);
  const answered = await standingOf(call, purchase, known, presented);
  if (answered) return answered;
  if (known?.state === 'failed')
    throw await paymentDue(call, purchase, {
      code: 'payment_invalid',
      text: `${endOf(known.reason)}.`,
      reason: known.reason ?? 'failed',
      settlement: failure(call, presented, { reason: known.reason ?? 'failed' }),
    });
  // It is on chain and bought nothing yet. From here on it is like a payment that the client sent.
  if (known?.state === 'unused' && known.signature !== null)
    return takeDocumented(call, purchase, { dialect: 'documented', signature: known.signature });
  const isUnderWay = known?.state === 'sent' || known?.state === 'settled';
  if (isUnderWay && known.requestSha256 !== purchase.key.requestSha256) throw inProgress();
  const wish = isUnderWay ? await resumed(call, known) : await verified(call, purchase, presented);
  const { requestSha256 } = purchase.key;
  const earlier = isUnderWay
    ? null
    : await earlierPayment(call, { requestSha256, payer: wish.payer });
  if (earlier !== null)
    return takeDocumented(call, purchase, { dialect: 'documented', signature: earlier });
  if (!isUnderWay) {
    await refuseFailing(call, purchase, { presented, payer: wish.payer });
    await refuseCooling(call, purchase, { presented, payer: wish.payer });
  }
  const { clock, ids, env } = call.service;
  const outcome = await claimTogether(call, purchase, {
    id: ids.paymentId(),
    dialect: presented.dialect,
    name: { messageHash: presented.messageHash },
    payer: wish.payer,
    amountMicros: wish.priceMicros,
    priceMicros: wish.priceMicros,
    quoteId: wish.quote?.id ?? null,
    slot: null,
    blockTime: null,
    payTo: wish.quote?.payTo ?? env.payTo,
    requestSha256,
    holder: call.actor.id,
    now: clock.now(),
  });
  if (outcome === 'busy') throw inProgress();
  if (outcome === 'done') return { state: 'done', quoteId: wish.quote?.id ?? null };
  const { claim, reserved } = outcome;
  const signature = await settleClaimed(call, purchase, {
    presented,
    claim,
    reserved,
    wire: wish.wire,
  });
  const { payer, quote } = wish;
  // A payment that was under way may be on chain by now, where anybody could have copied it.
  const isSignedByPayer = !isUnderWay;
  return { state: 'paid', claim, reserved, signature, payer, quote, isSignedByPayer };
}

type Wish = {
  payer: string;
  priceMicros: bigint;
  quote: QuoteTerms | null;
  /** As the client signed it; null when ours is on record. */
  wire: Uint8Array | null;
};

async function resumed(
  call: Call,
  known: { payer: string | null; priceMicros: bigint | null; quoteId: string | null },
): Promise<Wish> {
  const { payer, priceMicros, quoteId } = known;
  if (payer === null || priceMicros === null)
    throw new Error('a sent payment has no payer or price on record');
  const quote =
    quoteId === null
      ? null
      : await call.service.db.quote.findUnique({ where: { id: quoteId }, omit: { frozen: true } });
  return { payer, priceMicros, quote, wire: null };
}

async function verified(
  call: Call,
  purchase: Purchase<unknown>,
  presented: ExactPayment,
): Promise<Wish> {
  const closed = (await salesClosed(null)) ?? (await settlingRefused());
  if (closed) throw closed;
  const quote = await quoteOf(call, purchase, presented);
  const { env } = call.service;
  const seen = await verifyExact({
    version: presented.version,
    paymentPayload: presented.payload,
    quote: {
      id: quote.id,
      priceMicros: quote.priceMicros,
      payTo: quote.payTo,
      resourceUrl: `${env.publicUrl}${quote.path}`,
    },
  });
  if (!seen.ok)
    throw await paymentDue(call, purchase, {
      code: 'payment_invalid',
      text: `The payment was not accepted, and no money moved: ${seen.detail}.`,
      reason: seen.reason,
      settlement: failure(call, presented, { reason: seen.reason }),
    });
  if (seen.messageHash !== presented.messageHash)
    throw new Error('two readings of one payment differ in its message hash');
  purchase.mayPay(seen.payer);
  return { payer: seen.payer, priceMicros: quote.priceMicros, quote, wire: seen.wire };
}

/** The quote that the payment's memo names; without one, the newest that the request was given. */
async function quoteOf(
  call: Call,
  purchase: Purchase<unknown>,
  presented: ExactPayment,
): Promise<QuoteTerms> {
  const { db } = call.service;
  const { key } = purchase;
  const now = await databaseNow(db);
  const [first, ...others] = quoteIdsOf(presented.memos);
  if (first === undefined)
    return (await newestQuote(db, key, { openAt: now })) ?? quoteFor(call, purchase);
  const named = others.length === 0 ? await quoteOfRequest(db, key, first) : null;
  if (named && isOpenAt(named, now)) return named;
  const code = named ? 'payment_quote_closed' : 'payment_for_another_request';
  throw await paymentDue(call, purchase, {
    code,
    text: named
      ? 'The payment was not accepted, and no money moved: its quote has ended.'
      : 'The payment was not accepted, and no money moved: it names the quote of another request.',
    settlement: failure(call, presented, { reason: code }),
  });
}

/**
 * Throws the 402 of a payment that we do not sign, because too many that we sent failed on chain
 * today. Each of them cost us the network fee. Payments that clients send themselves continue.
 */
async function refuseFailing(
  call: Call,
  purchase: Purchase<unknown>,
  o: { presented: ExactPayment; payer: string },
): Promise<void> {
  const { db, env } = call.service;
  const spent = await spentFailures(db, { payer: o.payer, limits: env.limits });
  if (spent === null) return;
  const reason = 'too_many_failed_payments';
  const whose = spent === 'payer' ? `by the wallet ${o.payer} ` : '';
  throw await paymentDue(call, purchase, {
    code: 'payment_invalid',
    text: `The payment was not accepted, and no money moved: too many payments ${whose}that this service sent failed on chain today. Until 00:00 UTC, send the transfer to the chain yourself, and send its signature in X-Payment.`,
    reason,
    settlement: failure(call, o.presented, { reason, payer: o.payer }),
  });
}

/**
 * Throws the 402 of a payment that would block a transaction while another payer waits for it. An
 * earlier payment of the same payer ended without effect. Payments that clients send themselves
 * continue.
 */
async function refuseCooling(
  call: Call,
  purchase: Purchase<unknown>,
  o: { presented: ExactPayment; payer: string },
): Promise<void> {
  const { transaction } = purchase;
  if (transaction === null) return;
  const turn = { txSignature: transaction.signature, payer: o.payer };
  if (!(await isCoolingDown(call.service.db, turn))) return;
  const reason = 'another_payer_waits';
  throw await paymentDue(call, purchase, {
    code: 'payment_invalid',
    text: `The payment was not accepted, and no money moved. An earlier payment of the wallet ${o.payer} for this transaction did not land, and another payer waits. For 10 minutes after it, send the transfer to the chain yourself, and send its signature in X-Payment.`,
    reason,
    settlement: failure(call, o.presented, { reason, payer: o.payer }),
  });
}
