import type { Payment } from '@/generated/prisma/client';
import { databaseNow } from '@/server/db/database-clock';
import { ServiceError } from '@/server/errors';
import { awaitFeePayment, type FeePayment } from '@/server/payments/read-fee-payment';
import {
  hasRivalQuote,
  quoteIdsOf,
  quotesForPayment,
  quotesOfMemos,
  type QuoteTerms,
} from '@/server/payments/quotes';
import { judgePayment } from '@/server/payments/judge-payment';
import type { DocumentedPayment } from '@/server/payments/read-payment-header';
import { claimTogether, endOf, standingOf } from './settle-claimed';
import { findKnown, lookForPayment } from './look-for-payment';
import { leftToSpend } from './left-to-spend';
import { notePayment } from './note-late-payment';
import type { Purchase, Taken } from './purchase';
import { inProgress, paymentDue } from './refuse-payment';
import type { Call } from '../call';

/**
 * Takes a payment that the client sent itself: finds it on chain, decides what it may buy, and
 * claims it together with its purchase. Nothing is claimed before it is known to buy this request.
 */
export async function takeDocumented<Reserved>(
  call: Call,
  purchase: Purchase<Reserved>,
  presented: DocumentedPayment,
): Promise<Taken<Reserved>> {
  const { signature } = presented;
  if (purchase.excludes.includes(signature)) throw await itself(call, purchase);
  const known = await findKnown(call, presented);
  const answered = await standingOf(call, purchase, known);
  if (answered) return answered;
  if (known?.state === 'failed')
    throw await paymentDue(call, purchase, {
      code: 'payment_failed',
      text: `${endOf(known.reason)}: ${signature}.`,
    });
  // One that we sent and that may still land: its presenter finds out what becomes of it.
  if (known?.state === 'sent') throw inProgress();
  const payment = await lookFor(call, purchase, signature, known);
  const leftMicros = await leftToSpend(call, purchase, payment);
  const bought = await judge(call, purchase, { payment, known, leftMicros });
  return claim(call, purchase, payment, bought);
}

/**
 * The payment that two nodes (or the only one) show. The word of a single node neither sells
 * anything nor refuses a payment: that node may have invented the payment, its payer or its amount.
 */
async function lookFor(
  call: Call,
  purchase: Purchase<unknown>,
  signature: string,
  known: Payment | null,
): Promise<FeePayment> {
  const { actor } = call;
  const look = () => lookForPayment(call, signature);
  // A sweep comes again within a minute, and other payments wait behind this one.
  const seen =
    actor.kind === 'job' ? await look() : await awaitFeePayment({ client: actor.client, look });
  if (seen.state === 'paid' && seen.isAlone) throw notSeenYet(signature);
  if (seen.state === 'paid') return seen.payment;
  if (known?.reason === 'payment_dropped' && seen.state === 'absent')
    throw await paymentDue(call, purchase, {
      code: 'payment_failed',
      text: `The payment ${signature} vanished from the chain before it was final, so nothing was paid.`,
    });
  if (seen.state === 'absent') throw notSeenYet(signature);
  throw await paymentDue(call, purchase, {
    code: seen.code,
    text: `The payment ${signature} was not accepted: ${seen.detail}.`,
  });
}

function notSeenYet(signature: string): ServiceError {
  return new ServiceError(
    'payment_not_seen_yet',
    `No Solana node knows the payment ${signature} as confirmed yet, or only one does and a second one must agree. Do not pay again. Send the same request with the same X-Payment again in a few seconds. Its quote stays valid.`,
    { details: { payment: signature }, retryAfterS: 5 },
  );
}

function itself(call: Call, purchase: Purchase<unknown>): Promise<ServiceError> {
  return paymentDue(call, purchase, {
    code: 'payment_is_the_transaction',
    text: 'The transaction in X-Payment is one that this request is about, and cannot pay for it.',
  });
}

type Bought = { quote: QuoteTerms | null; priceMicros: bigint };

async function judge(
  call: Call,
  purchase: Purchase<unknown>,
  o: { payment: FeePayment; known: Payment | null; leftMicros: bigint },
): Promise<Bought> {
  const { db } = call.service;
  const { payment, known } = o;
  // The refunded part buys nothing.
  const spendable: FeePayment = { ...payment, amountMicros: o.leftMicros };
  const { key, caller } = purchase;
  // A quote at the price of the rest is not the one that was paid, and says nothing about rivals.
  const isByProof = purchase.bare === 'proven_only' || o.leftMicros < payment.amountMicros;
  const ids = [...quoteIdsOf(payment.memos), ...(known?.quoteId == null ? [] : [known.quoteId])];
  const [own, named, hasRival, now] = await Promise.all([
    quotesForPayment(db, { key, payment, ids }),
    quotesOfMemos(db, payment.memos),
    isByProof ? null : hasRivalQuote(db, { key, payment }),
    databaseNow(db),
  ]);
  const others = named.filter(({ id }) => !own.some((quote) => quote.id === id));
  const gone = await Promise.all(others.map((quote) => purchase.isGone(quote)));
  const isNamedGone = gone.length > 0 && gone.every(Boolean);
  const mayBeUnused = isNamedGone || known?.state === 'unused';
  const judgement = judgePayment({
    payment: spendable,
    known,
    key,
    own,
    named,
    hasRival,
    caller,
    isNamedGone,
    priceMicros: mayBeUnused ? (await purchase.offered()).priceMicros : 0n,
    now,
  });
  if (judgement.verdict === 'proof_needed') throw proofNeeded(purchase.proofText, payment.payer);
  if (judgement.verdict === 'refused') {
    if (judgement.isOurs) await notePayment(call, { key, payment, caller, reason: judgement.code });
    throw await paymentDue(call, purchase, {
      code: judgement.code,
      text: `The payment ${payment.signature} was not accepted: ${judgement.detail}.`,
    });
  }
  // A quote given after the payment's block may list the payment itself, and so may what is selected now.
  if (await purchase.contains(judgement.quote?.id ?? null, payment.signature)) {
    await notePayment(call, { key, payment, caller, reason: 'payment_is_the_transaction' });
    throw await itself(call, purchase);
  }
  try {
    purchase.mayPay(payment.payer);
  } catch (error) {
    await notePayment(call, { key, payment, caller, reason: 'not_a_participant' });
    throw error;
  }
  return judgement;
}

/** The 401 for a payment that only its payer may use. */
function proofNeeded(text: string, payer: string): ServiceError {
  return new ServiceError(
    'payer_proof_needed',
    `The payment does not carry the memo of this request's quote, so it counts only with X-Wallet-Address and X-Wallet-Signature of the wallet that paid, ${payer}. Sign exactly this text with it: ${text}. Nothing was used up.`,
    { details: { sign: text, wallet: payer } },
  );
}

async function claim<Reserved>(
  call: Call,
  purchase: Purchase<Reserved>,
  payment: FeePayment,
  bought: Bought,
): Promise<Taken<Reserved>> {
  const { clock, ids } = call.service;
  const { signature, payer, payTo, amountMicros, slot, blockTime } = payment;
  const outcome = await claimTogether(call, purchase, {
    id: ids.paymentId(),
    dialect: 'documented',
    name: { signature },
    payer,
    payTo,
    amountMicros,
    slot,
    blockTime,
    priceMicros: bought.priceMicros,
    quoteId: bought.quote?.id ?? null,
    requestSha256: purchase.key.requestSha256,
    holder: call.actor.id,
    now: clock.now(),
  });
  if (outcome === 'busy') throw inProgress();
  if (outcome === 'done') {
    const { key, caller } = purchase;
    await notePayment(call, { key, payment, caller, reason: 'bought_by_another' });
    return { state: 'done', quoteId: bought.quote?.id ?? null };
  }
  const { quote } = bought;
  return { state: 'paid', ...outcome, signature, payer, quote, isSignedByPayer: false };
}
