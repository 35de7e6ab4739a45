import type { Payment } from '@/generated/prisma/client';
import { log } from '@/server/log';
import { findPayment } from '@/server/payments/find-payment';
import { reviveLanded } from '@/server/payments/landed-after-all';
import type { PresentedPayment } from '@/server/payments/read-payment-header';
import type { RequestContext } from '../request-context';

/**
 * What the ledger knows of a payment that is presented; null for a new one. One that ended as failed is looked
 * at once more before anybody is told that nothing was charged. Throws RpcUnavailable.
 */
export async function findKnown(
  ctx: RequestContext,
  presented: PresentedPayment,
): Promise<Payment | null> {
  const { db, rpc, clock } = ctx.service;
  const known = await findPayment(db, presented);
  if (known?.state !== 'failed') return known;
  const revived = await reviveLanded({ db, rpc, now: clock.now() }, known);
  if (!revived) return known;
  const { id: paymentId, signature } = revived;
  log().error({ event: 'payment_landed_after_all', paymentId, signature, was: known.reason });
  return revived;
}
