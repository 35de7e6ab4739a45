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
import { SAMPLES } from './samples';

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

/** Operators' records about money. */
export const ADMIN_MONEY_OPERATIONS: readonly Operation[] = [
  admin({
    id: 'adminReadPayment',
    method: 'get',
    path: '/admin/payments/{signature}',
    summary: 'Read everything on record about a payment',
    description: 'Its quote, its purchase, and all recorded actions.',
    parameters: [path('signature', 'Signature of the payment.')],
    answers: body('Everything on record.', paymentStoryBody),
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
      'The payment is anything that arrived at `PAY_TO` in USDC, SOL or a token of the table, presented or not. The refund is the whole, a part or a surplus, in the token that came. The chain must show it. With `hold` in place of `refund_signature`, the payment is reserved (`true`) and buys nothing meanwhile, or released (`false`).',
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
      'Records that the operator took out the money that left `PAY_TO` in this transaction. A debit without a record is a difference in the books. Until it is recorded as a refund or a withdrawal, earlier payments of the receiving wallet buy nothing.',
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
    summary: 'Reconcile the books of the day',
    description:
      'Reads the chain and compares the balances with the ledger. By token, it adds up the amounts that came in, bought something, were refunded, were withdrawn and are unused. A scheduled job does the same every night.',
    answers: body('The books, with every unexplained difference.', reconciliationBody),
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
    summary: 'List mints by status',
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
    summary: 'Read one mint',
    description: 'With all its attempts and recorded actions.',
    parameters: [receiptId],
    answers: body('Everything on record.', mintStoryBody),
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
    description: 'On the same exactly-once path. A mint that has not failed is refused.',
    parameters: [receiptId],
    answers: body('It is re-queued.', retryBody),
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
    answers: body('The re-queued ones.', retryAllBody),
    errors: [],
    limit: 'reads',
    handler: async ({ caller }) => json(200, await caller.admin.retryAll()),
  }),
  admin({
    id: 'adminListHeld',
    method: 'get',
    path: '/admin/held',
    summary: 'List waiting mints and payments',
    description:
      'Stalled mints, payments that bought nothing, and unpresented arrivals at `PAY_TO`, a page at a time.',
    parameters: [
      query(
        'cursor',
        '`next_cursor` of the page before: later pages hold unpresented arrivals only.',
      ),
    ],
    answers: body('All three, with what they wait for.', heldBody),
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
    summary: 'Re-queue waiting mints',
    description: 'The named ones, or all waiting ones.',
    body: { schema: releaseInput, example: { receipt_ids: ['0123456789AB'] } },
    answers: body('The re-queued ones.', releaseBody),
    errors: [],
    limit: 'reads',
    handler: async (request) =>
      json(200, await request.caller.admin.release(await bodyOf<ReleaseInput>(request))),
  }),
  admin({
    id: 'adminListUndecided',
    method: 'get',
    path: '/admin/undecided',
    summary: 'List undecided transactions',
    description:
      'Expired transactions for which the Solana nodes cannot prove whether they landed. Until they can, the service signs nothing again and frees nothing.',
    answers: body(
      'Each with its kind, the mint or payment that waits for it, and the reason.',
      undecidedBody,
    ),
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
      'Everything that waits for it continues as if it had never landed. `checked` is your record of the checks that you made.',
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
    summary: 'Delete the countries of a payer',
    description: 'Before their retention ends. The answer does not show whether there were any.',
    body: { schema: forgetInput, example: { wallet_address: SAMPLES.WALLET } },
    answers: body('The countries are deleted.', forgetBody),
    errors: [],
    limit: 'reads',
    handler: async (request) =>
      json(200, await request.caller.admin.forget(await bodyOf<ForgetInput>(request))),
  }),
  admin({
    id: 'adminHideWords',
    method: 'post',
    path: '/admin/labels/hide',
    summary: 'Hide labels or a business name',
    description:
      'The labels of a receipt (`receipt_id`), or the business name of a registered wallet (`wallet_address`), for example because of personal data or slander. Pages, images and lists show a note instead, for the participants as well. The signed files stay: the metadata, the proof, and the CSV of a statement whose hash is in an NFT. `hidden: false` shows them again. The audit log keeps `reason`.',
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
