import { noteUnused } from '@/server/payments/note-unused';
import type { FeePayment } from '@/server/payments/read-fee-payment';
import type { RequestKey } from '@/server/payments/request-key';
import type { RequestContext } from '../request-context';

/**
 * Writes down that a payment of ours bought nothing, so that its payer may use it. The note names the request
 * only when its payer proved itself with it: anybody may present a payment with a request of their own, and
 * must not bind it to that.
 */
export function notePayment(
  ctx: RequestContext,
  o: { key: RequestKey; payment: FeePayment; caller: string | null; reason: string },
): Promise<void> {
  const { db, clock, ids } = ctx.service;
  const isItsPayers = o.caller === o.payment.payer;
  return noteUnused(db, {
    id: ids.paymentId(),
    payment: o.payment,
    requestSha256: isItsPayers ? o.key.requestSha256 : '',
    reason: o.reason,
    now: clock.now(),
  });
}
