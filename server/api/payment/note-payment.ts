import { noteUnused } from '@/server/payments/note-unused';
import type { FeePayment } from '@/server/payments/read-fee-payment';
import type { RequestKey } from '@/server/payments/request-key';
import type { RequestContext } from '../request-context';

/** Writes down that a payment of ours bought nothing, so that its payer may use it. */
export function notePayment(
  ctx: RequestContext,
  o: { key: RequestKey; payment: FeePayment; reason: string },
): Promise<void> {
  const { db, clock, ids } = ctx.service;
  return noteUnused(db, {
    id: ids.paymentId(),
    payment: o.payment,
    requestSha256: o.key.requestSha256,
    reason: o.reason,
    now: clock.now(),
  });
}
