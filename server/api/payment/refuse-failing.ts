import { isCoolingDown } from '@/server/payments/cool-down';
import { spentFailures } from '@/server/payments/failed-payments';
import type { ExactPayment } from '@/server/payments/read-payment-header';
import type { RequestContext } from '../request-context';
import type { Purchase } from './purchase';
import { paymentDue } from './refuse-payment';
import { failure } from './settle-claimed';

/**
 * Throws the 402 of a payment that we do not sign, as too many that we sent failed on chain today: each of
 * them cost us the fee of the network. Payments that clients send by themselves go on.
 */
export async function refuseFailing(
  ctx: RequestContext,
  purchase: Purchase<unknown>,
  o: { presented: ExactPayment; payer: string },
): Promise<void> {
  const { db, env } = ctx.service;
  const spent = await spentFailures(db, { payer: o.payer, limits: env.limits });
  if (spent === null) return;
  const reason = 'too_many_failed_payments';
  const whose = spent === 'payer' ? `by the wallet ${o.payer} ` : '';
  throw await paymentDue(ctx, purchase, {
    code: 'payment_invalid',
    text: `The payment was not taken, and nothing moved: too many payments ${whose}that this service was to send failed on chain today. Until 00:00 UTC, pay by yourself: send the transfer to the chain and its signature in X-Payment.`,
    reason,
    settlement: failure(ctx, o.presented, { reason, payer: o.payer }),
  });
}

/**
 * Throws the 402 of a payment that would hold a transaction while another payer waits for it, after one of the
 * same payer ended without effect. Payments that clients send by themselves go on.
 */
export async function refuseCooling(
  ctx: RequestContext,
  purchase: Purchase<unknown>,
  o: { presented: ExactPayment; payer: string },
): Promise<void> {
  const { transaction } = purchase;
  if (transaction === null) return;
  const turn = { txSignature: transaction.signature, payer: o.payer };
  if (!(await isCoolingDown(ctx.service.db, turn))) return;
  const reason = 'another_payer_waits';
  throw await paymentDue(ctx, purchase, {
    code: 'payment_invalid',
    text: `The payment was not taken, and nothing moved: an earlier payment of the wallet ${o.payer} for this transaction did not get through, and another payer waits. For 10 minutes after it, pay by yourself: send the transfer to the chain and its signature in X-Payment.`,
    reason,
    settlement: failure(ctx, o.presented, { reason, payer: o.payer }),
  });
}
