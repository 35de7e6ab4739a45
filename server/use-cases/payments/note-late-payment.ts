import { isNodeSilence } from '@quittance/verify/chain/rpc-errors';
import { databaseNow } from '@/server/db/database-clock';
import { findPayment } from '@/server/payments/find-payment';
import { noteUnused } from '@/server/payments/hold-payment';
import { judgePayment } from '@/server/payments/judge-payment';
import {
  quoteIdsOf,
  quotesForPayment,
  quotesOfMemos,
  type RequestKey,
} from '@/server/payments/quotes';
import type { FeePayment } from '@/server/payments/read-fee-payment';
import type { PresentedPayment } from '@/server/payments/read-payment-header';
import { lookForPayment } from './look-for-payment';
import type { Call } from '../call';

/**
 * Records, with one read of the chain, a payment for something that exists already. It stays its
 * payer's. A payment that was not meant for us is not noted, and a chain that does not answer does
 * not delay the answer.
 */
export async function noteLatePayment(
  call: Call,
  o: { key: RequestKey; presented: PresentedPayment | null; excludes: readonly string[] },
): Promise<void> {
  const { db } = call.service;
  const { presented, key } = o;
  if (presented?.dialect !== 'documented' || o.excludes.includes(presented.signature)) return;
  if (await findPayment(db, presented)) return;
  try {
    const seen = await lookForPayment(call, presented.signature);
    if (seen.state !== 'paid' || seen.isAlone) return;
    const { payment } = seen;
    const [own, named, now] = await Promise.all([
      quotesForPayment(db, { key, payment, ids: quoteIdsOf(payment.memos) }),
      quotesOfMemos(db, payment.memos),
      databaseNow(db),
    ]);
    const judgement = judgePayment({
      payment,
      key,
      own,
      named,
      known: null,
      caller: null,
      hasRival: null,
      now,
      priceMicros: payment.amountMicros,
      isNamedGone: false,
    });
    if (judgement.verdict === 'refused' && !judgement.isOurs) return;
    await notePayment(call, { key, payment, caller: null, reason: 'bought_by_another' });
  } catch (error) {
    if (!isNodeSilence(error)) throw error;
  }
}

/**
 * Records that a payment to us bought nothing, so that its payer may use it. The note names the
 * request only when the payer proved itself with it. Anybody may present a payment with a request
 * of their own, and must not bind it to that request.
 */
export function notePayment(
  call: Call,
  o: { key: RequestKey; payment: FeePayment; caller: string | null; reason: string },
): Promise<void> {
  const { db, clock, ids } = call.service;
  const isItsPayers = o.caller === o.payment.payer;
  return noteUnused(db, {
    id: ids.paymentId(),
    payment: o.payment,
    requestSha256: isItsPayers ? o.key.requestSha256 : '',
    reason: o.reason,
    now: clock.now(),
  });
}
