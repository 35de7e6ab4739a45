import type { CsvInput } from '@/server/use-cases/dashboard/schemas';
import { paymentBody, pricingBody } from '@/server/use-cases/payments/schemas';
import {
  registerInput,
  registrationBody,
  webhookBody,
  webhookInput,
  type RegisterBody,
  type WebhookBody,
} from '@/server/use-cases/registrations/schemas';
import { trusted } from '@/server/trusted';
import { json } from '../respond';
import { streamText } from '../stream-text';
import {
  body,
  bodyOf,
  file,
  type Operation,
  param,
  path,
  query,
  registering,
  TX,
} from './operation';
import { SAMPLES } from './samples';

/** Prices and payments, the automatic receipts of a seller, and the file of the signed-in wallet. */
export const WALLET_OPERATIONS: readonly Operation[] = [
  {
    id: 'readPayment',
    method: 'get',
    path: '/payments/{signature}',
    tag: 'Payments',
    summary: 'Read the state of a payment',
    description:
      'A payment is anything that arrived at `PAY_TO` in USDC, SOL or a token of the table, presented or not. The answer has its state (such as used, unused or refunded), its rest and its refunds. An unused payment stays usable for 90 days.',
    parameters: [path('signature', TX)],
    answers: body('Its state.', paymentBody),
    errors: ['invalid_request', 'payment_unknown', 'chain_unavailable'],
    limit: 'reads',
    handler: async (request) =>
      json(200, await request.caller.payments.find({ signature: param(request, 'signature') })),
  },
  {
    id: 'readPricing',
    method: 'get',
    path: '/pricing',
    tag: 'Payments',
    summary: 'Read all prices',
    description: 'Every price, where to pay, and whether payments are open now.',
    parameters: [],
    answers: body('The prices.', pricingBody),
    errors: [],
    limit: 'reads',
    handler: async ({ caller }) => json(200, await caller.payments.pricing()),
  },
  {
    id: 'registerSeller',
    method: 'post',
    path: '/register',
    tag: 'Wallets',
    summary: 'Register a wallet for automatic receipts',
    description:
      'From the current block on, payments of 0.01 to 1 USD to the wallet get their receipt automatically. For larger ones a fee is due, which the dashboard shows. A repeat changes the texts.',
    parameters: registering('register:{wallet}:{sha256 hex of the canonical JSON body}:{time}'),
    body: {
      schema: registerInput,
      example: {
        wallet_address: SAMPLES.WALLET,
        business_name: 'Corner café',
        country: 'DE',
        service_type: 'Coffee',
      },
    },
    answers: body('The registration.', registrationBody),
    errors: [
      ...(['wallet_proof_missing', 'wallet_proof_invalid', 'proof_time_wrong'] as const),
      'chain_unavailable',
    ],
    limit: 'paid',
    handler: async (request) =>
      json(200, await request.caller.registrations.register(await bodyOf<RegisterBody>(request))),
  },
  {
    id: 'unregisterSeller',
    method: 'delete',
    path: '/register',
    tag: 'Wallets',
    summary: 'End the automatic receipts of a wallet',
    description: 'New payments get no automatic receipt from now on. Existing receipts stay.',
    parameters: registering('unregister:{wallet}:{time}'),
    answers: body('The registration that ended.', registrationBody),
    errors: [
      ...(['wallet_proof_missing', 'wallet_proof_invalid', 'proof_time_wrong'] as const),
      'registration_not_found',
    ],
    limit: 'paid',
    handler: async ({ caller }) => json(200, await caller.registrations.unregister()),
  },
  {
    id: 'readDashboardCsv',
    method: 'get',
    path: '/dashboard/receipts.csv',
    tag: 'Wallets',
    summary: 'Export the payments of the signed-in wallet',
    description:
      'For the pages of the service. The cookie of a sign-in counts here and on no other path of this list.',
    parameters: [
      { ...query('role', '`seller` or `payer`.', 'seller'), required: true },
      { ...query('first_day', 'First day, inclusive.', '2026-01-01'), required: true },
      { ...query('last_day', 'Last day, inclusive.', '2026-01-31'), required: true },
      query('country', 'Two-letter code of a supported country.', 'US'),
      query('token', 'Address of a token mint, or `SOL`.'),
      query('search', 'Text of at most 120 characters.'),
      query('status', '`pending` or `failed`.'),
      query('wallet', 'Refuses the request unless this wallet is signed in.'),
    ],
    answers: file('The file.', 'text/csv'),
    errors: ['invalid_request', 'rates_unavailable'],
    limit: 'reads',
    security: 'session',
    handler: async ({ caller, ctx, query: asked }) =>
      streamText(
        await caller.dashboard.csv(
          trusted<CsvInput>({ ...asked }, 'the procedure parses its input'),
        ),
        {
          contentType: 'text/csv; charset=utf-8; header=present',
          fileName: `dashboard-${asked['role'] === 'payer' ? 'paid' : 'received'}.csv`,
          requestId: ctx.requestId,
        },
      ),
  },
  {
    id: 'noteTransactions',
    method: 'post',
    path: '/webhooks/solana',
    tag: 'Service',
    summary: 'Report transactions to the service',
    description:
      'For webhooks of node providers: a list of signatures, alone or under `signatures`, or the events of a Helius webhook. The service believes none of it and reads each transaction from the chain.',
    parameters: [],
    body: {
      schema: webhookInput,
      example: { signatures: [SAMPLES.TX_SIGNATURE] },
      // Raw webhooks carry whole transactions, several in one call.
      maxBytes: 1024 * 1024,
    },
    answers: body('The number of reported signatures, and the number of new ones.', webhookBody),
    errors: [],
    limit: 'paid',
    security: 'webhookSecret',
    handler: async (request) =>
      json(
        200,
        await request.caller.registrations.noteTransactions(await bodyOf<WebhookBody>(request)),
      ),
  },
];
