import type { Payment } from '@/generated/prisma/client';
import { findPayment } from '@/server/payments/find-payment';
import type { PresentedPayment } from '@/server/payments/read-payment-header';
import type { RequestKey } from '@/server/payments/quotes';
import type { Purchase, Taken } from './purchase';
import { paymentDue } from './refuse-payment';
import { takeDocumented } from './take-documented';
import { takeExact } from './take-exact';
import type { Call } from '../call';

/**
 * Takes the payment of a priced request, in any dialect. Returns with the payment claimed,
 * confirmed and its purchase reserved. The caller writes the purchase and marks the payment used in
 * one database transaction, or releases both. Throws the 402 with an offer when no payment came.
 */
export async function takePayment<Reserved>(
  call: Call,
  purchase: Purchase<Reserved>,
  presented: PresentedPayment | null,
): Promise<Taken<Reserved>> {
  if (presented === null) throw await paymentDue(call, purchase, null);
  return presented.dialect === 'documented'
    ? takeDocumented(call, purchase, presented)
    : takeExact(call, purchase, presented);
}

/** The payment that bought this request before, or null. */
export async function boughtBefore(
  call: Call,
  key: RequestKey,
  presented: PresentedPayment | null,
): Promise<Payment | null> {
  const known = presented && (await findPayment(call.service.db, presented));
  return known?.state === 'used' && known.requestSha256 === key.requestSha256 ? known : null;
}
