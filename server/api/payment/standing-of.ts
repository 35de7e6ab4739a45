import type { Payment } from '@/generated/prisma/client';
import type { RequestContext } from '../request-context';
import type { Purchase } from './purchase';
import { inProgress, paymentDue } from './refuse-payment';

/**
 * What the ledger alone can say of a payment: that it bought this very request before, or null when the
 * chain must be asked. Throws the refusal of one that bought something else, was given back, or is in the
 * hands of another request.
 */
export async function standingOf(
  ctx: RequestContext,
  purchase: Purchase<unknown>,
  known: Payment | null,
): Promise<{ state: 'answered'; payment: Payment } | null> {
  if (known?.state === 'used') {
    if (known.requestSha256 === purchase.key.requestSha256)
      return { state: 'answered', payment: known };
    throw await paymentDue(ctx, purchase, {
      code: 'payment_already_used',
      text: 'The payment has bought something else already.',
    });
  }
  if (known?.state === 'refunded')
    throw await paymentDue(ctx, purchase, {
      code: 'payment_refunded',
      text: `The payment was refunded in ${known.refundSignature ?? 'a transaction'}.`,
    });
  const isHeld = known?.leaseUntil && known.leaseUntil > ctx.service.clock.now();
  if (isHeld) throw inProgress();
  return null;
}
