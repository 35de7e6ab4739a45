import {
  paymentBody,
  paymentStoryBody,
  reconciliationBody,
  refundInput,
  withdrawalBody,
  withdrawalInput,
  type RefundInput,
  type WithdrawalInput,
} from '@/server/api/payment-schemas';
import { json } from '../respond';
import { admin } from './admin-operation';
import { bodyOf, param, path, type Operation } from './operation';
import { body } from './shared-parts';

/** What operators record about money. */
export const ADMIN_MONEY_OPERATIONS: readonly Operation[] = [
  admin({
    ...{ id: 'adminReadPayment', method: 'get', path: '/admin/payments/{signature}' },
    summary: 'All on record about a payment',
    description: 'With its quote, what it bought, and who did what.',
    parameters: [path('signature', 'Signature of the payment.')],
    answers: body('All on record.', paymentStoryBody),
    errors: ['invalid_request', 'payment_unknown', 'chain_unavailable'],
    limit: 'reads',
    handler: async (request) =>
      json(200, await request.caller.admin.payment({ signature: param(request, 'signature') })),
  }),
  admin({
    ...{ id: 'adminRecordRefund', method: 'post', path: '/admin/refunds' },
    summary: 'Record a refund',
    description:
      'Of all that arrived at PAY_TO in USDC, SOL or a token of the table, presented or not: of the whole, a part or a surplus, in the token that came. The chain shows whether it is one. With `hold` in place of `refund_signature` the payment is set aside before, so that it buys nothing meanwhile, or let go.',
    body: {
      schema: refundInput,
      example: { payment_signature: '{signature}', refund_signature: '{signature}' },
    },
    answers: body('The payment now.', paymentBody),
    errors: ['payment_unknown', 'refund_invalid', 'refund_conflict', 'chain_unavailable'],
    limit: 'reads',
    handler: async (request) =>
      json(200, await request.caller.admin.refund(await bodyOf<RefundInput>(request))),
  }),
  admin({
    ...{ id: 'adminRecordWithdrawal', method: 'post', path: '/admin/withdrawals' },
    summary: 'Record a withdrawal',
    description:
      'Says of what left PAY_TO in a transaction that the operator took it out. Until a debit is recorded as a refund or a withdrawal it is a difference, and earlier payments of the wallet that got it buy nothing.',
    body: { schema: withdrawalInput, example: { signature: '{signature}', note: 'to the bank' } },
    answers: body('The rows of the ledger.', withdrawalBody),
    errors: ['refund_invalid', 'refund_conflict', 'chain_unavailable'],
    limit: 'paid',
    handler: async (request) =>
      json(200, await request.caller.admin.withdraw(await bodyOf<WithdrawalInput>(request))),
  }),
  admin({
    ...{ id: 'adminReconcile', method: 'post', path: '/admin/reconciliation' },
    summary: 'Close the books of the day',
    description:
      'Reads the chain, adds up by token what came in, bought, was refunded, withdrawn and is unused, and compares it with the balances. A scheduled job does the same every night.',
    answers: body('The books, and what is to be explained.', reconciliationBody),
    errors: ['chain_unavailable'],
    limit: 'paid',
    handler: async ({ caller }) => json(200, await caller.admin.reconcile()),
  }),
];
