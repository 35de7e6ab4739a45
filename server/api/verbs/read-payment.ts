import type { Payment } from '@/generated/prisma/client';
import { ServiceError } from '@/server/errors';
import { USDC_DECIMALS, toJsonNumber } from '@/server/money';
import { findPayment } from '@/server/payments/find-payment';
import { isHeldForRefund } from '@/server/payments/hold-payment';
import { UNUSED_AGE_MS } from '@/server/payments/judge-payment';
import type { PaymentBody } from '../payment-schemas';
import type { RequestContext } from '../request-context';

/** What became of a payment: nothing that the chain and the receipts do not show to everyone. */
export async function readPayment(
  { service }: RequestContext,
  { signature }: { signature: string },
): Promise<PaymentBody> {
  const payment = await requirePayment(service.db, signature);
  const { dialect, payer, payTo, amountMicros, slot, blockTime, createdAt } = payment;
  const state = stateOf(payment, service.clock.now());
  // A price stands for something bought; of a payment that bought nothing, all is the payer's.
  const price = state === 'used' ? payment.priceMicros : null;
  // Of a payment that we settled, the block came seconds after its row.
  const until = new Date((blockTime ?? createdAt).getTime() + UNUSED_AGE_MS);
  return {
    success: true,
    signature,
    state,
    message: messageOf(payment, state),
    dialect,
    payer,
    pay_to: payTo,
    amount: amountMicros === null ? null : toJsonNumber(amountMicros, USDC_DECIMALS),
    amount_raw: amountMicros?.toString() ?? null,
    price: price === null ? null : toJsonNumber(price, USDC_DECIMALS),
    price_raw: price?.toString() ?? null,
    surplus_raw: price === null || amountMicros === null ? null : (amountMicros - price).toString(),
    slot: slot === null ? null : Number(slot),
    block_time: blockTime?.toISOString() ?? null,
    bought: state === 'used' ? payment.subjectId : null,
    refund_signature: payment.refundSignature,
    usable_until: state === 'unused' ? until.toISOString() : null,
  };
}

/** The payment that the ledger has under a signature; throws 404. */
export async function requirePayment(
  db: RequestContext['service']['db'],
  signature: string,
): Promise<Payment> {
  const payment = await findPayment(db, { dialect: 'documented', signature });
  if (payment) return payment;
  throw new ServiceError(
    'payment_unknown',
    `No payment ${signature} was presented to this service. Send it with the request that it pays for.`,
  );
}

type State = PaymentBody['state'];

function stateOf(payment: Payment, now: Date): State {
  const { state } = payment;
  if (isHeldForRefund(payment, now)) return 'in_progress';
  switch (state) {
    case 'used':
    case 'unused':
    case 'refunded':
    case 'failed':
      return state;
    default:
      return 'in_progress';
  }
}

function messageOf({ state, reason }: Payment, told: State): string {
  if (state === 'sent')
    return 'The payment was sent and may land or have landed; nobody can say yet that it did not. Do not pay again: send the request that it pays for again, with the same payment. Where the Solana nodes cannot prove it for long, the operator is alerted.';
  if (told === 'failed' && reason === 'closed_on_record')
    return 'The operator closed this payment on record, because no Solana node shows it. Should it be on chain after all, a daily pass makes it usable again for 7 days; or present it with the request that it pays for.';
  return MESSAGE[told];
}

const MESSAGE: Readonly<Record<State, string>> = {
  in_progress:
    'The payment is being settled, used or given back. Send the request that it pays for again in a moment.',
  used: 'The payment has bought what `bought` names.',
  unused:
    'The payment has bought nothing. Its payer may use it, with wallet headers, for one request of at most its amount until `usable_until`.',
  refunded: 'The payment was given back in the transaction `refund_signature`.',
  failed: 'The payment did not get through, so nobody was charged.',
};
