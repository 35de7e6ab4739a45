import { PaymentRefusal, type Settlement } from '@/server/payments/payment-refusal';
import type { ServiceError } from '@/server/errors';

/** News of a payment, in the header of x402 v2 and in that of v1: clients read one of the two. */
export function settlementHeaders(settlement: Settlement | null): Record<string, string> {
  if (settlement === null) return {};
  const value = Buffer.from(JSON.stringify(settlement)).toString('base64');
  return { 'PAYMENT-RESPONSE': value, 'X-PAYMENT-RESPONSE': value };
}

/** What a refusal says in headers: the offer of x402 v2 and the news of the payment that came. */
export function refusalHeaders(error: ServiceError): Record<string, string> {
  if (!(error instanceof PaymentRefusal)) return {};
  const header = error.challenge?.header ?? null;
  return {
    ...(header === null ? {} : { 'PAYMENT-REQUIRED': header }),
    ...settlementHeaders(error.settlement),
  };
}
