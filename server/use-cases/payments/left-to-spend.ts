import { lookForDebit } from '@/server/payments/ledger/look-for-debits';
import { standingInLedger } from '@/server/payments/ledger/entries';
import type { FeePayment } from '@/server/payments/read-fee-payment';
import type { Purchase } from './purchase';
import { heldForRefund, inQuestion, paymentDue } from './refuse-payment';
import type { Call } from '../call';

/**
 * How much of a payment may still buy something, in micro-USDC: all of it less its recorded
 * refunds. Throws the refusal of a payment that was refunded, that the operator has set aside, or
 * whose payer later received money without a recorded purpose. The claim reads the ledger again,
 * under the payment's lock.
 */
export async function leftToSpend(
  call: Call,
  purchase: Purchase<unknown>,
  payment: FeePayment,
): Promise<bigint> {
  const { db } = call.service;
  const { signature, payer, slot, amountMicros } = payment;
  const standing = await standingInLedger(db, { signature, payer, slot });
  const leftMicros = amountMicros - standing.refundedMicros;
  if (leftMicros <= 0n)
    throw await paymentDue(call, purchase, {
      code: 'payment_refunded',
      text: `The payment ${signature} was refunded.`,
    });
  if (standing.isHeld) throw heldForRefund();
  const debit = standing.questionedBy ?? (await lookForDebit(call.service, payment));
  if (debit !== null) throw inQuestion(debit);
  return leftMicros;
}
