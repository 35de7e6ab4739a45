import type { Payment } from '@/generated/prisma/client';
import type { Settlement } from '@/server/payments/payment-refusal';
import { paymentNetwork } from '@/server/payments/payment-network';
import type { RequestContext } from '../request-context';

/** The payment behind an answer; what a request that was paid for needs to tell of it. */
export type PaidWith = Pick<Payment, 'dialect' | 'signature' | 'payer'>;

/** The news of a payment that bought something; null where none was needed. */
export function settlementOf(ctx: RequestContext, payment: PaidWith | null): Settlement | null {
  if (!payment) return null;
  const names = paymentNetwork(ctx.service.env.network);
  return {
    success: true,
    transaction: payment.signature ?? '',
    network: payment.dialect === 'v1' ? names.v1 : names.caip2,
    ...(payment.payer === null ? {} : { payer: payment.payer }),
  };
}
