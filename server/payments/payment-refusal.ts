import { ServiceError, type ErrorCode } from '@/server/errors';
import type { Challenge } from './describe-challenge';

/** What became of a payment, as x402's SettlementResponse tells it; `transaction` is empty when nothing moved. */
export type Settlement = {
  success: boolean;
  transaction: string;
  network: string;
  payer?: string;
  errorReason?: string;
};

/**
 * A refusal that has to do with a payment: with the offer that a 402 carries, and with the news of a
 * payment that the PAYMENT-RESPONSE header tells.
 */
export class PaymentRefusal extends ServiceError {
  readonly challenge: Challenge | null;
  readonly settlement: Settlement | null;

  constructor(
    code: ErrorCode,
    message: string,
    o: {
      challenge?: Challenge | null;
      settlement?: Settlement | null;
      details?: Record<string, unknown>;
      retryAfterS?: number;
    },
  ) {
    const challenge = o.challenge ?? null;
    super(code, message, {
      details: challenge ? challenge.body : (o.details ?? {}),
      ...(o.retryAfterS === undefined ? {} : { retryAfterS: o.retryAfterS }),
    });
    this.name = 'PaymentRefusal';
    this.challenge = challenge;
    this.settlement = o.settlement ?? null;
  }
}
