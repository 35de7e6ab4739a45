import type { Payment } from '@/generated/prisma/client';
import { isHeldForRefund } from '@/server/payments/hold-payment';
import type { ExactPayment } from '@/server/payments/read-payment-header';
import type { RequestContext } from '../request-context';
import type { Purchase } from './purchase';
import { heldForRefund, inProgress, paymentDue } from './refuse-payment';
import { failure } from './settle-claimed';

/**
 * What the ledger alone can say of a payment: that it bought this very request before, or null when the
 * chain must be asked. Throws the refusal of one that bought something else, was given back, or is in the
 * hands of another request.
 */
export async function standingOf(
  ctx: RequestContext,
  purchase: Purchase<unknown>,
  known: Payment | null,
  /** As it came, when its dialect has a header for news of a settlement. */
  presented: ExactPayment | null = null,
): Promise<{ state: 'answered'; payment: Payment } | null> {
  const news = (code: 'payment_already_used' | 'payment_refunded') => ({
    code,
    ...(presented && { settlement: failure(ctx, presented, { reason: code }) }),
  });
  if (known?.state === 'used') {
    if (known.requestSha256 === purchase.key.requestSha256)
      return { state: 'answered', payment: known };
    throw await paymentDue(ctx, purchase, {
      ...news('payment_already_used'),
      text: 'The payment has bought something else already.',
    });
  }
  if (known?.state === 'refunded')
    throw await paymentDue(ctx, purchase, {
      ...news('payment_refunded'),
      text: `The payment was refunded in ${known.refundSignature ?? 'a transaction'}.`,
    });
  if (known && isHeldForRefund(known, ctx.service.clock.now())) throw heldForRefund();
  const isHeld = known?.leaseUntil && known.leaseUntil > ctx.service.clock.now();
  if (isHeld) throw inProgress();
  return null;
}
