import { toDecimal, USDC_DECIMALS } from '@quittance/verify/money';
import { LEAST_PRICE_MICROS } from '@/server/payments/prices';
import type { PaymentBody } from '../payment-schemas';

/** What is known of a payment, as far as its state depends on it. */
export type Seen = {
  /** State of its row; null for one that nobody presented. */
  row: string | null;
  /** Why its row is in that state, as a stable word. */
  reason: string | null;
  token: string;
  isHeld: boolean;
  /** A transaction that may be its refund and is on record as nothing. */
  questionedBy: string | null;
  /** Whether nothing is left of it, and it bought nothing. */
  isRefunded: boolean;
  /** Whether what is left of it is below the smallest price. */
  isTooLittle: boolean;
};

type State = PaymentBody['state'];

/** The state of a payment in one word and in one text, which says what its payer can do. */
export function describeState(seen: Seen): { state: State; message: string } {
  const state = stateOf(seen);
  return { state, message: messageOf(state, seen) };
}

function stateOf({ row, isHeld, isRefunded, questionedBy }: Seen): State {
  if (row === 'used' || row === 'failed' || row === 'refunded') return row;
  if (row !== null && row !== 'unused') return 'in_progress';
  if (isRefunded) return 'refunded';
  if (isHeld || questionedBy !== null) return 'in_progress';
  return row === null ? 'received' : 'unused';
}

function messageOf(state: State, seen: Seen): string {
  switch (state) {
    case 'used':
      return 'The payment has bought what `bought` names. A surplus buys nothing: its payer may ask the operator for it.';
    case 'failed':
      return seen.reason === 'closed_on_record' ? CLOSED : FAILED;
    case 'refunded':
      return 'The payment was given back in the transactions that `refunds` lists.';
    case 'in_progress':
      return progressOf(seen);
    case 'unused':
      return seen.isTooLittle ? tooLittle() : UNUSED;
    case 'received':
      return receivedAs(seen);
  }
}

const UNUSED =
  'The payment has bought nothing. Its payer may use it, with wallet headers, for one request of at most what is left of it (`left_raw`) until `usable_until`, or ask the operator for it.';

const FAILED = 'The payment did not get through, so nobody was charged.';
const CLOSED =
  'The operator closed this payment on record, because no Solana node shows it. If it is on chain after all, a daily check makes it usable again for 7 days. You can also present it with the request that it pays for.';
const SENT =
  'The payment was sent and may land or have landed. Nobody can say yet that it did not. Do not pay again: repeat the request that it pays for, with the same payment. If the Solana nodes cannot prove it for long, the operator is alerted.';

function progressOf({ row, isHeld, questionedBy }: Seen): string {
  if (row === 'sent') return SENT;
  if (isHeld) return 'The operator has set the payment aside to give it back, so it buys nothing.';
  if (questionedBy !== null)
    return `The transaction ${questionedBy} sent money from the paid wallet to the payer after this payment. It buys nothing until the operator has recorded whether that was its refund.`;
  return 'The payment is being settled, used or given back. Send the request that it pays for again in a moment.';
}

function receivedAs({ token, isTooLittle }: Seen): string {
  if (token !== 'USDC')
    return `The payment arrived in ${token}, and only USDC buys something. It stays its payer's, who may ask the operator for it.`;
  if (isTooLittle) return tooLittle();
  return 'The payment arrived and was not presented. Send it in X-Payment with the request that it pays for, or ask the operator for it.';
}

function tooLittle(): string {
  const least = toDecimal(LEAST_PRICE_MICROS, USDC_DECIMALS);
  return `What is left of the payment is below the smallest price, ${least} USDC, so it buys nothing, and payments are not added up. Pay the whole price in one payment, with the same memo while its quote is open, and ask the operator for this one.`;
}
