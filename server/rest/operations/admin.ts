import { trusted } from '@/server/trusted';
import {
  adminMintsBody,
  type AdminMintsInput,
  closeUndecidedBody,
  closeUndecidedInput,
  type CloseUndecidedInput,
  forgetBody,
  forgetInput,
  type ForgetInput,
  heldBody,
  type HeldInput,
  hideBody,
  hideInput,
  type HideInput,
  mintStoryBody,
  releaseBody,
  releaseInput,
  type ReleaseInput,
  retryAllBody,
  retryBody,
  undecidedBody,
} from '@/server/use-cases/mints/schemas';
import {
  paymentBody,
  paymentStoryBody,
  reconciliationBody,
  refundInput,
  type RefundInput,
  withdrawalBody,
  withdrawalInput,
  type WithdrawalInput,
} from '@/server/use-cases/payments/schemas';
import { json } from '../respond';
import { body, bodyOf, type Operation, param, path, query } from './operation';

type Short = Omit<Operation, 'tag' | 'parameters' | 'security'> &
  Partial<Pick<Operation, 'parameters'>>;

/**
 * An operation for operators, with `Authorization: Bearer`; `npm run admin` calls them. Each action has an audit row
 * that names the operator.
 */
const admin = (operation: Short): Operation => ({
  parameters: [],
  ...operation,
  tag: 'Admin',
  security: 'adminToken',
});

/** What operators record about money. */
export const ADMIN_MONEY_OPERATIONS: readonly Operation[] = [
  admin({
    id: 'adminReadPayment',
    method: 'get',
    path: '/admin/payments/{signature}',
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
    id: 'adminRecordRefund',
    method: 'post',
    path: '/admin/refunds',
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
    id: 'adminRecordWithdrawal',
    method: 'post',
    path: '/admin/withdrawals',
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
    id: 'adminReconcile',
    method: 'post',
    path: '/admin/reconciliation',
    summary: 'Close the books of the day',
    description:
      'Reads the chain, adds up by token what came in, bought, was refunded, withdrawn and is unused, and compares it with the balances. A scheduled job does the same every night.',
    answers: body('The books, and what is to be explained.', reconciliationBody),
    errors: ['chain_unavailable'],
    limit: 'paid',
    handler: async ({ caller }) => json(200, await caller.admin.reconcile()),
  }),
];

const receiptId = path('receipt_id', 'Id of a receipt or statement.');

/** Mints, what waits, and what nodes cannot decide. */
export const ADMIN_OPERATIONS: readonly Operation[] = [
  admin({
    id: 'adminListMints',
    method: 'get',
    path: '/admin/mints',
    summary: 'Mints by status',
    description: 'Newest first, a page at a time.',
    parameters: [
      query('status', '`pending`, `completed` or `failed`.', 'failed'),
      query('cursor', '`next_cursor` of the page before.'),
    ],
    answers: body('A page of mints.', adminMintsBody),
    errors: ['invalid_request'],
    limit: 'reads',
    handler: async ({ caller, query: asked }) =>
      json(
        200,
        await caller.admin.mints(
          trusted<AdminMintsInput>({ ...asked }, 'the procedure parses its input'),
        ),
      ),
  }),
  admin({
    id: 'adminShowMint',
    method: 'get',
    path: '/admin/mints/{receipt_id}',
    summary: 'One mint',
    description: 'With all its tries, and who did what.',
    parameters: [receiptId],
    answers: body('All on record.', mintStoryBody),
    errors: ['invalid_request', 'receipt_not_found'],
    limit: 'reads',
    handler: async (request) =>
      json(200, await request.caller.admin.mint({ receipt_id: param(request, 'receipt_id') })),
  }),
  admin({
    id: 'adminRetryMint',
    method: 'post',
    path: '/admin/mints/{receipt_id}/retry',
    summary: 'Retry a failed mint',
    description: 'On the same exactly-once path. One that is not failed is refused.',
    parameters: [receiptId],
    answers: body('It is on its way.', retryBody),
    errors: ['invalid_request', 'receipt_not_found', 'mint_not_failed'],
    limit: 'reads',
    handler: async (request) =>
      json(200, await request.caller.admin.retry({ receipt_id: param(request, 'receipt_id') })),
  }),
  admin({
    id: 'adminRetryAll',
    method: 'post',
    path: '/admin/mints/retry',
    summary: 'Retry all failed mints',
    description: 'A batch at a time, oldest first.',
    answers: body('Those on their way.', retryAllBody),
    errors: [],
    limit: 'reads',
    handler: async ({ caller }) => json(200, await caller.admin.retryAll()),
  }),
  admin({
    id: 'adminListHeld',
    method: 'get',
    path: '/admin/held',
    summary: 'What waits',
    description:
      'Mints without a sign of life, payments that bought nothing, and what arrived at PAY_TO without being presented, a page at a time.',
    parameters: [
      query('cursor', '`next_cursor` of the page before: further pages have what arrived alone.'),
    ],
    answers: body('All three, and for what they wait.', heldBody),
    errors: ['invalid_request'],
    limit: 'reads',
    handler: async ({ caller, query: asked }) =>
      json(
        200,
        await caller.admin.held(trusted<HeldInput>({ ...asked }, 'the procedure parses its input')),
      ),
  }),
  admin({
    id: 'adminReleaseHeld',
    method: 'post',
    path: '/admin/held/release',
    summary: 'Send waiting mints on their way',
    description: 'Those named, or all that wait.',
    body: { schema: releaseInput, example: { receipt_ids: ['0123456789AB'] } },
    answers: body('Those on their way.', releaseBody),
    errors: [],
    limit: 'reads',
    handler: async (request) =>
      json(200, await request.caller.admin.release(await bodyOf<ReleaseInput>(request))),
  }),
  admin({
    id: 'adminListUndecided',
    method: 'get',
    path: '/admin/undecided',
    summary: 'What the nodes cannot decide',
    description:
      'Transactions whose time is over and of which the Solana nodes cannot prove whether they landed. Nothing is signed anew and nothing is freed for them.',
    answers: body('Each with its kind, what waits for it, and the reason.', undecidedBody),
    errors: [],
    limit: 'reads',
    handler: async ({ caller }) => json(200, await caller.admin.undecided()),
  }),
  admin({
    id: 'adminCloseUndecided',
    method: 'post',
    path: '/admin/undecided/close',
    summary: 'Close an undecided transaction',
    description:
      'What waits for it goes on as if it had never landed. `checked` says what you looked at, and goes on record.',
    body: {
      schema: closeUndecidedInput,
      example: { signature: '{signature}', checked: 'Two explorers do not know it' },
    },
    answers: body('It is closed.', closeUndecidedBody),
    errors: ['undecided_not_open', 'undecided_is_known', 'chain_unavailable'],
    limit: 'paid',
    handler: async (request) =>
      json(
        200,
        await request.caller.admin.closeUndecided(await bodyOf<CloseUndecidedInput>(request)),
      ),
  }),
  admin({
    id: 'adminForgetPayer',
    method: 'post',
    path: '/admin/forget',
    summary: 'Forget where a wallet paid from',
    description: 'Before its time is over. The answer does not tell whether there was something.',
    body: { schema: forgetInput, example: { wallet_address: '{wallet}' } },
    answers: body('It is forgotten.', forgetBody),
    errors: [],
    limit: 'reads',
    handler: async (request) =>
      json(200, await request.caller.admin.forget(await bodyOf<ForgetInput>(request))),
  }),
  admin({
    id: 'adminHideWords',
    method: 'post',
    path: '/admin/labels/hide',
    summary: 'Hide what a person wrote',
    description:
      'The labels of a receipt (`receipt_id`), or the business name of a registered wallet (`wallet_address`), for example because of personal data or slander. Pages, images and lists show a note in its place, for the participants as well. The signed files stay: the metadata, the proof, and the CSV of a statement whose hash is in an NFT. `hidden: false` shows it again. `reason` goes on record.',
    body: {
      schema: hideInput,
      example: { receipt_id: '0123456789AB', reason: 'It names a private person' },
    },
    answers: body('It is hidden, or shown again.', hideBody),
    errors: ['receipt_not_found'],
    limit: 'reads',
    handler: async (request) =>
      json(200, await request.caller.admin.hide(await bodyOf<HideInput>(request))),
  }),
];
