import type { Payment } from '@/generated/prisma/client';
import { type ErrorCode, ServiceError } from '@/server/errors';
import { paidRoutesState } from '@/server/payments/check-accounts';
import {
  describeChallenge,
  PaymentRefusal,
  recentBlockhash,
  type Settlement,
} from '@/server/payments/describe-challenge';
import { feePayer } from '@/server/payments/facilitator/settle-exact';
import { openQuote } from '@/server/payments/open-quote';
import { paymentNetwork } from '@/server/payments/prices';
import type { QuoteTerms } from '@/server/payments/quotes';
import { clientKey } from '../charge-limits';
import type { Purchase } from './purchase';
import type { Call } from '../call';

type Refusal = {
  code: ErrorCode;
  /** Sentence for people. */
  text: string;
  /** Stable word, finer than the code. */
  reason?: string;
  settlement?: Settlement;
};

/**
 * The 402 of a request: its quote as an offer, with the reason why a payment that came was not accepted.
 * While the service accepts no payments it is a 503 instead, because nobody must be asked to pay in vain.
 */
export async function paymentDue(
  call: Call,
  purchase: Purchase<unknown>,
  refusal: Refusal | null,
): Promise<ServiceError> {
  const { env, rpc } = call.service;
  const closed = await salesClosed(refusal?.text ?? null);
  if (closed) return closed;
  const offered = await purchase.offered();
  const quote = await quoteFor(call, purchase);
  const challenge = describeChallenge({
    env,
    quote,
    description: offered.description,
    feePayer: feePayer(),
    blockhash: await recentBlockhash(rpc),
    fee: offered.fee(quote.priceMicros),
    // Without a slot, no payment is known to be later than the quote. So a payment without memo
    // counts only with proof.
    bare: quote.openedSlot === null ? 'proven_only' : purchase.bare,
    refusal: refusal?.text ?? null,
    ...(await takenNow()),
    fields: {
      ...(refusal ? { reason: refusal.reason ?? refusal.code } : {}),
      ...offered.fields,
    },
  });
  return new PaymentRefusal(
    refusal?.code ?? 'payment_required',
    String(challenge.body['message']),
    {
      challenge,
      settlement: refusal?.settlement ?? null,
    },
  );
}

/** The quote that a request is offered now. */
export async function quoteFor(call: Call, purchase: Purchase<unknown>): Promise<QuoteTerms> {
  const { key, transaction, wallet, mostOpenQuotes } = purchase;
  const { priceMicros, frozen, digest } = await purchase.offered();
  return openQuote(call.service, {
    key,
    priceMicros,
    frozen,
    digest,
    transaction,
    wallet,
    mostOpenQuotes,
    clientHash: clientKey(call),
    payTo: call.service.env.payTo,
  });
}

/** The 503 while the service accepts no payments, or null. */
export async function salesClosed(text: string | null): Promise<ServiceError | null> {
  const state = await paidRoutesState();
  if (state.open) return null;
  return new ServiceError(
    'payments_unavailable',
    `${text === null ? '' : `${text} `}A fee is due, and the service takes no payments at the moment: ${state.reason}. This request charged you nothing.`,
    { retryAfterS: 60 },
  );
}

/** Why v1 and v2 payments are not settled now, and why others count only later. Null if neither is true. */
export async function takenNow(): Promise<{
  notSettled: string | null;
  countsLater: string | null;
}> {
  const state = await paidRoutesState();
  if (!state.open) return { notSettled: state.reason, countsLater: null };
  return { notSettled: state.notSettled ?? null, countsLater: state.countsLater ?? null };
}

/** The 503 of a v1 or v2 payment while the service sends none: the client can send it itself. */
export async function settlingRefused(): Promise<ServiceError | null> {
  const { notSettled: reason, countsLater } = await takenNow();
  if (reason === null) return null;
  const later = countsLater === null ? '' : ' The payment counts once two nodes show it.';
  return new ServiceError(
    'payments_unavailable',
    `The service sends no payments at the moment: ${reason}. This request charged you nothing. Send the transfer to the chain yourself and send its signature in X-Payment. The answer to the request without a payment says how.${later}`,
    { retryAfterS: 60 },
  );
}

/** The 503 of a second request while another works on the same payment or purchase. */
export function inProgress(): ServiceError {
  return new ServiceError(
    'in_progress',
    'Another request is working on this payment or transaction. This one charged you nothing. Send the same request again in a few seconds.',
    { retryAfterS: 2 },
  );
}

/** The 503 of a payment that the operator has set aside. */
export function heldForRefund(): ServiceError {
  return new ServiceError(
    'in_progress',
    'The operator of this service has reserved this payment for a refund, so it buys nothing now. This request charged you nothing.',
    { retryAfterS: 600 },
  );
}

/** The 503 of a payment whose refund may be under way without a record. */
export function inQuestion(debit: string): ServiceError {
  return new ServiceError(
    'in_progress',
    `The transaction ${debit} sent money from the paid wallet to the payer after this payment. The operator of this service has not recorded its reason. Until then this payment buys nothing. This request charged you nothing.`,
    { details: { debit }, retryAfterS: 600 },
  );
}

/** The payment behind an answer: what the answer to a paid request needs of it. */
export type PaidWith = Pick<Payment, 'dialect' | 'signature' | 'payer'>;

/** The settlement result of a payment that bought something; null if none was needed. */
export function settlementOf(call: Call, payment: PaidWith | null): Settlement | null {
  if (!payment) return null;
  const names = paymentNetwork(call.service.env.network);
  return {
    success: true,
    transaction: payment.signature ?? '',
    network: payment.dialect === 'v1' ? names.v1 : names.caip2,
    ...(payment.payer === null ? {} : { payer: payment.payer }),
  };
}
