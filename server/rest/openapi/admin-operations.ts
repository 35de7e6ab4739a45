import {
  adminMintsBody,
  closeUndecidedBody,
  closeUndecidedInput,
  forgetBody,
  forgetInput,
  heldBody,
  mintStoryBody,
  releaseBody,
  releaseInput,
  retryAllBody,
  retryBody,
  undecidedBody,
} from '@/server/api/admin-schemas';
import {
  paymentBody,
  paymentStoryBody,
  reconciliationBody,
  refundInput,
  withdrawalBody,
  withdrawalInput,
} from '@/server/api/payment-schemas';
import type { ErrorCode } from '@/server/errors';
import { path, query, type Operation } from './operation';

const receiptId = path('receipt_id', 'Id of a receipt or statement.');
/** Without a token in the settings the paths do not exist. */
const CLOSED = [
  'admin_token_wrong',
  'admin_role_missing',
  'path_not_found',
] as const satisfies ErrorCode[];

type AdminOperation = Omit<Operation, 'tag' | 'parameters'> &
  Partial<Pick<Operation, 'parameters'>>;
const admin = (operation: AdminOperation): Operation => ({
  parameters: [],
  ...operation,
  tag: 'Admin',
  errors: [...operation.errors, ...CLOSED],
});

/** For operators, with `Authorization: Bearer`; `npm run admin` calls them. Each action has an audit row that names the operator. */
export const ADMIN_OPERATIONS: readonly Operation[] = [
  admin({
    ...{ id: 'adminListMints', method: 'get', path: '/admin/mints' },
    summary: 'Mints by status',
    description: 'Newest first, a page at a time.',
    parameters: [
      query('status', '`pending`, `completed` or `failed`.', 'failed'),
      query('cursor', '`next_cursor` of the page before.'),
    ],
    answer: { description: 'A page of mints.', schema: adminMintsBody },
    errors: ['invalid_request'],
  }),
  admin({
    ...{ id: 'adminShowMint', method: 'get', path: '/admin/mints/{receipt_id}' },
    summary: 'One mint',
    description: 'With all its tries, and who did what.',
    parameters: [receiptId],
    answer: { description: 'All on record.', schema: mintStoryBody },
    errors: ['invalid_request', 'receipt_not_found'],
  }),
  admin({
    ...{ id: 'adminRetryMint', method: 'post', path: '/admin/mints/{receipt_id}/retry' },
    summary: 'Retry a failed mint',
    description: 'On the same exactly-once path. One that is not failed is refused.',
    parameters: [receiptId],
    answer: { description: 'It is on its way.', schema: retryBody },
    errors: ['invalid_request', 'receipt_not_found', 'mint_not_failed'],
  }),
  admin({
    ...{ id: 'adminRetryAll', method: 'post', path: '/admin/mints/retry' },
    summary: 'Retry all failed mints',
    description: 'A batch at a time, oldest first.',
    answer: { description: 'Those on their way.', schema: retryAllBody },
    errors: [],
  }),
  admin({
    ...{ id: 'adminReadPayment', method: 'get', path: '/admin/payments/{signature}' },
    summary: 'All on record about a payment',
    description: 'With its quote, what it bought, and who did what.',
    parameters: [path('signature', 'Signature of the payment.')],
    answer: { description: 'All on record.', schema: paymentStoryBody },
    errors: ['invalid_request', 'payment_unknown', 'chain_unavailable'],
  }),
  admin({
    ...{ id: 'adminListHeld', method: 'get', path: '/admin/held' },
    summary: 'What waits',
    description:
      'Mints without a sign of life, payments that bought nothing, and what arrived at PAY_TO without being presented, a page at a time.',
    parameters: [
      query('cursor', '`next_cursor` of the page before: further pages have what arrived alone.'),
    ],
    answer: { description: 'All three, and for what they wait.', schema: heldBody },
    errors: ['invalid_request'],
  }),
  admin({
    ...{ id: 'adminReleaseHeld', method: 'post', path: '/admin/held/release' },
    summary: 'Send waiting mints on their way',
    description: 'Those named, or all that wait.',
    body: { schema: releaseInput, example: { receipt_ids: ['{receipt_id}'] } },
    answer: { description: 'Those on their way.', schema: releaseBody },
    errors: ['invalid_request'],
  }),
  admin({
    ...{ id: 'adminListUndecided', method: 'get', path: '/admin/undecided' },
    summary: 'What the nodes cannot decide',
    description:
      'Transactions whose time is over and of which the Solana nodes cannot prove whether they landed. Nothing is signed anew and nothing is freed for them.',
    answer: {
      description: 'Each with its kind, what waits for it, and the reason.',
      schema: undecidedBody,
    },
    errors: [],
  }),
  admin({
    ...{ id: 'adminCloseUndecided', method: 'post', path: '/admin/undecided/close' },
    summary: 'Close an undecided transaction',
    description:
      'What waits for it goes on as if it had never landed. `checked` says what you looked at, and goes on record.',
    body: {
      schema: closeUndecidedInput,
      example: { signature: '{signature}', checked: 'Two explorers do not know it' },
    },
    answer: { description: 'It is closed.', schema: closeUndecidedBody },
    errors: [
      ...(['invalid_request', 'undecided_not_open'] as const),
      ...(['undecided_is_known', 'chain_unavailable'] as const),
    ],
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
    answer: { description: 'The payment now.', schema: paymentBody },
    errors: [
      ...(['invalid_request', 'payment_unknown', 'refund_invalid'] as const),
      ...(['refund_conflict', 'chain_unavailable'] as const),
    ],
  }),
  admin({
    ...{ id: 'adminRecordWithdrawal', method: 'post', path: '/admin/withdrawals' },
    summary: 'Record a withdrawal',
    description:
      'Says of what left PAY_TO in a transaction that the operator took it out. Until a debit is recorded as a refund or a withdrawal it is a difference, and earlier payments of the wallet that got it buy nothing.',
    body: { schema: withdrawalInput, example: { signature: '{signature}', note: 'to the bank' } },
    answer: { description: 'The rows of the ledger.', schema: withdrawalBody },
    errors: [
      ...(['invalid_request', 'refund_invalid', 'refund_conflict', 'chain_unavailable'] as const),
    ],
  }),
  admin({
    ...{ id: 'adminReconcile', method: 'post', path: '/admin/reconciliation' },
    summary: 'Close the books of the day',
    description:
      'Reads the chain, adds up by token what came in, bought, was refunded, withdrawn and is unused, and compares it with the balances. A scheduled job does the same every night.',
    answer: { description: 'The books, and what is to be explained.', schema: reconciliationBody },
    errors: ['chain_unavailable'],
  }),
  admin({
    ...{ id: 'adminForgetPayer', method: 'post', path: '/admin/forget' },
    summary: 'Forget where a wallet paid from',
    description: 'Before its time is over. The answer does not tell whether there was something.',
    body: { schema: forgetInput, example: { wallet_address: '{wallet}' } },
    answer: { description: 'It is forgotten.', schema: forgetBody },
    errors: ['invalid_request'],
  }),
];
