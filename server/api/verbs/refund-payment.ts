import type { Payment } from '@/generated/prisma/client';
import { readTransfer } from '@/server/chain/read-transfer';
import type { Transfer } from '@/server/chain/transfer';
import { ServiceError } from '@/server/errors';
import { USDC_DECIMALS, toDecimal } from '@/server/money';
import { paymentNetwork } from '@/server/payments/payment-network';
import { holdPayment } from '@/server/payments/hold-payment';
import { recordRefund } from '@/server/payments/record-refund';
import { lookForPayment } from '../payment/look-for-payment';
import type { PaymentBody, RefundInput } from '../payment-schemas';
import type { RequestContext } from '../request-context';
import { readPayment, requirePayment } from './read-payment';

/**
 * Sets a payment aside for its refund or lets it go (`hold`), or writes down that a payment which bought
 * nothing was given back, once the chain shows it: final, in USDC, to its payer, and all of it. A repeat
 * with the same two signatures gives the same answer.
 */
export async function refundPayment(
  ctx: RequestContext,
  { payment_signature: signature, refund_signature: refundSignature, hold }: RefundInput,
): Promise<PaymentBody> {
  const { db, clock } = ctx.service;
  const payment = await requirePayment(db, signature);
  if (refundSignature === undefined) {
    const wish = { id: payment.id, isHeld: hold ?? false, now: clock.now() };
    if (!(await holdPayment(db, wish))) throw conflict(`the payment is ${payment.state}`);
    return readPayment(ctx, { signature });
  }
  if (payment.refundSignature !== refundSignature) {
    if (payment.state !== 'unused') throw conflict(`the payment is ${payment.state}`);
    const seen = await lookForPayment(ctx, signature);
    if (seen.state !== 'paid') throw conflict('the chain does not show the payment itself');
    const refund = await readRefund(ctx, payment, refundSignature);
    const recorded = await recordRefund(db, {
      id: payment.id,
      refundSignature,
      amountMicros: refund.amount,
      from: refund.payer,
      now: clock.now(),
    });
    if (recorded === 'taken')
      throw conflict(`the transaction ${refundSignature} is on record for another payment`);
    if (recorded === 'not_unused') throw conflict('the payment is being used at this moment');
  }
  return readPayment(ctx, { signature });
}

async function readRefund(
  { service: { rpc, env } }: RequestContext,
  payment: Payment,
  refundSignature: string,
): Promise<Transfer> {
  const reading = await readTransfer({ rpc, network: env.network, signature: refundSignature });
  if (!reading.ok) throw invalid(reading.detail);
  const { transfer } = reading;
  const { payer, amountMicros } = payment;
  const paidAt = payment.blockTime ?? payment.createdAt;
  if (payer === null || amountMicros === null)
    throw new Error(`the unused payment ${payment.id} has no payer or amount on record`);
  if (transfer.mint !== paymentNetwork(env.network).usdcMint) throw invalid('it is not in USDC');
  if (transfer.seller !== payer) throw invalid(`it does not go to the payer, ${payer}`);
  if (transfer.amount < amountMicros)
    throw invalid(
      `it gives ${toDecimal(transfer.amount, USDC_DECIMALS)} of ${toDecimal(amountMicros, USDC_DECIMALS)} USDC`,
    );
  if (transfer.blockTime < paidAt) throw invalid('it is older than the payment');
  if (transfer.finality !== 'finalized')
    throw invalid('it is not final yet, so send this again in half a minute');
  return transfer;
}

function invalid(why: string): ServiceError {
  return new ServiceError('refund_invalid', `The refund was not recorded: ${why}.`);
}

function conflict(why: string): ServiceError {
  return new ServiceError('refund_conflict', `The refund was not recorded: ${why}.`);
}
