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
  type AdminMintsInput,
  type CloseUndecidedInput,
  type ForgetInput,
  type HeldInput,
  type ReleaseInput,
} from '@/server/api/admin-schemas';
import { trusted } from '@/server/trusted';
import { json } from '../respond';
import { admin } from './admin-operation';
import { bodyOf, param, path, query, type Operation } from './operation';
import { body } from './shared-parts';

const receiptId = path('receipt_id', 'Id of a receipt or statement.');

/** Mints, what waits, and what nodes cannot decide. */
export const ADMIN_OPERATIONS: readonly Operation[] = [
  admin({
    ...{ id: 'adminListMints', method: 'get', path: '/admin/mints' },
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
    ...{ id: 'adminShowMint', method: 'get', path: '/admin/mints/{receipt_id}' },
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
    ...{ id: 'adminRetryMint', method: 'post', path: '/admin/mints/{receipt_id}/retry' },
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
    ...{ id: 'adminRetryAll', method: 'post', path: '/admin/mints/retry' },
    summary: 'Retry all failed mints',
    description: 'A batch at a time, oldest first.',
    answers: body('Those on their way.', retryAllBody),
    errors: [],
    limit: 'reads',
    handler: async ({ caller }) => json(200, await caller.admin.retryAll()),
  }),
  admin({
    ...{ id: 'adminListHeld', method: 'get', path: '/admin/held' },
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
    ...{ id: 'adminReleaseHeld', method: 'post', path: '/admin/held/release' },
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
    ...{ id: 'adminListUndecided', method: 'get', path: '/admin/undecided' },
    summary: 'What the nodes cannot decide',
    description:
      'Transactions whose time is over and of which the Solana nodes cannot prove whether they landed. Nothing is signed anew and nothing is freed for them.',
    answers: body('Each with its kind, what waits for it, and the reason.', undecidedBody),
    errors: [],
    limit: 'reads',
    handler: async ({ caller }) => json(200, await caller.admin.undecided()),
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
    ...{ id: 'adminForgetPayer', method: 'post', path: '/admin/forget' },
    summary: 'Forget where a wallet paid from',
    description: 'Before its time is over. The answer does not tell whether there was something.',
    body: { schema: forgetInput, example: { wallet_address: '{wallet}' } },
    answers: body('It is forgotten.', forgetBody),
    errors: [],
    limit: 'reads',
    handler: async (request) =>
      json(200, await request.caller.admin.forget(await bodyOf<ForgetInput>(request))),
  }),
];
