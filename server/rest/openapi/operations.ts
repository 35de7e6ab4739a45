import { listTransfersBody } from '@/server/api/listing-schemas';
import { paymentBody, pricingBody } from '@/server/api/payment-schemas';
import {
  calculateBody,
  mintCreatedBody,
  mintInput,
  mintStatusBody,
  receiptBody,
  verifyBody,
} from '@/server/api/schemas';
import { statementBody, statementInput } from '@/server/api/statement-schemas';
import type { ErrorCode } from '@/server/errors';
import { EXPORT_FORMATS } from '@/server/exports/export-format';
import { issuerDocument } from '@quittance/verify/receipts/issuer-document';
import { ADMIN_OPERATIONS } from './admin-operations';
import {
  header,
  path,
  query,
  receiptIdPath,
  statementIdPath,
  TX,
  type Operation,
} from './operation';
import { PROOF_OPERATIONS } from './proof-operations';
import { REGISTRATION_OPERATIONS } from './registration-operations';

const READING = [
  'transaction_not_found',
  'transaction_failed',
  'not_a_payment',
  'several_payers',
  'several_sellers',
  'several_tokens',
  'owner_unknown',
  'unreadable_transaction',
  'chain_unavailable',
  // Where legs of several tokens are paid, prices choose the transfer.
  'rate_not_covered',
  'rates_unavailable',
] as const satisfies ErrorCode[];

export const OPERATIONS: readonly Operation[] = [
  {
    id: 'createReceipt',
    method: 'post',
    path: '/mint',
    tag: 'Receipts',
    summary: 'Create the receipt of a transaction',
    description:
      'Payer, seller and amount are read from the chain; what else the transaction moved is listed beside them. Under 1 USD the receipt is free for payer and seller, who prove their wallet; from 1 USD on a fee is due, which the 402 offers to three kinds of client. There is one receipt for each transaction: a repeat is answered 409 with its id.',
    parameters: [
      header('X-Wallet-Address', 'Wallet of the caller: payer or seller.'),
      header(
        'X-Wallet-Signature',
        'Base58 Ed25519 signature by that wallet over `quittance:{tx_signature}`.',
      ),
      header('X-Payment', `Signature of the fee payment, ${TX}, or an x402 version 1 payload.`),
      header('PAYMENT-SIGNATURE', 'x402 version 2 payload.'),
      header('Prefer', '`wait=N` waits up to 30 s for the proof on chain.'),
    ],
    body: {
      schema: mintInput,
      example: {
        tx_signature: '{tx_signature}',
        service_type: 'API access',
        transaction_type: 'sale',
        invoice_id: 'INV-2026-0042',
      },
    },
    answer: { description: 'The receipt is written.', schema: mintCreatedBody },
    errors: [
      ...(['invalid_request', 'payment_unreadable', ...READING, 'unsupported_token'] as const),
      ...(['wallet_proof_missing', 'wallet_proof_invalid', 'payer_proof_needed'] as const),
      ...(['not_a_participant', 'payment_required', 'payment_not_seen_yet'] as const),
      ...(['payment_pending', 'payments_unavailable', 'in_progress'] as const),
    ],
    price: '/mint',
  },
  {
    id: 'readMintStatus',
    method: 'get',
    path: '/mint/status/{receipt_id}',
    tag: 'Receipts',
    summary: 'Follow the proof on chain',
    description: 'The state of a receipt. With `wait` the answer is held back until it changes.',
    parameters: [receiptIdPath, query('wait', 'Seconds to hold the answer, 0 to 30.', '20')],
    answer: { description: 'Its state now.', schema: mintStatusBody },
    errors: ['invalid_request', 'receipt_not_found'],
  },
  {
    id: 'readReceipt',
    method: 'get',
    path: '/receipt/{receipt_id}',
    tag: 'Receipts',
    summary: 'Read a receipt',
    description:
      'All facts of a receipt, what else its transaction moved (`other_legs`, `goods`, `change`, `paid_with`, `fee_withheld`, `left_out`), and where its files and its proof are.',
    parameters: [receiptIdPath],
    answer: { description: 'The receipt.', schema: receiptBody },
    errors: ['receipt_not_found'],
  },
  {
    id: 'readMetadata',
    method: 'get',
    path: '/receipt/{receipt_id}/metadata.json',
    tag: 'Receipts',
    summary: 'The stored facts',
    description: 'The document on permanent storage, byte for byte as it was signed.',
    parameters: [receiptIdPath],
    answer: { description: 'The document.', media: 'application/json' },
    errors: ['receipt_not_found'],
  },
  {
    id: 'readImage',
    method: 'get',
    path: '/receipt/{receipt_id}/image.png',
    tag: 'Receipts',
    summary: 'The stored picture',
    description: 'A PNG of 1000 by 1000 pixels, byte for byte as it was signed.',
    parameters: [receiptIdPath],
    answer: { description: 'The picture.', media: 'image/png' },
    errors: ['receipt_not_found'],
  },
  {
    id: 'createStatement',
    method: 'post',
    path: '/statement',
    tag: 'Statements',
    summary: 'Create a statement of many transactions',
    description:
      'Either the `transactions` listed, or all payments of the wallet from `period_start` to `period_end`. The first request is answered 402 with the number of transactions and the price; the wallet the statement is of pays. Each leg of the wallet is a row: transactions with several sellers are listed as well, and `row_count` may be larger than `tx_count`.',
    parameters: [
      header('X-Payment', `Signature of the fee payment, ${TX}, or an x402 version 1 payload.`),
      header('PAYMENT-SIGNATURE', 'x402 version 2 payload.'),
      header('Prefer', '`wait=N` waits up to 30 s for the proof on chain.'),
    ],
    body: {
      schema: statementInput,
      example: {
        wallet_address: '{wallet}',
        period_start: '2026-01-01T00:00:00Z',
        period_end: '2026-01-31T23:59:59Z',
        output_formats: ['json', 'csv'],
      },
    },
    answer: { description: 'The statement with its rows and CSV.', schema: statementBody },
    errors: [
      ...(['invalid_request', 'payment_unreadable', 'nothing_to_state'] as const),
      ...(['transaction_not_found', 'transaction_failed', 'not_a_payment'] as const),
      ...(['several_payers', 'owner_unknown', 'unreadable_transaction'] as const),
      ...(['wallet_not_involved', 'transaction_not_final', 'scan_incomplete'] as const),
      ...(['too_many_quotes', 'unsupported_token', 'rate_not_covered'] as const),
      'rates_unavailable' as const,
      ...(['too_many_transactions', 'payer_proof_needed', 'not_a_participant'] as const),
      ...(['payment_required', 'payment_not_seen_yet', 'payment_pending'] as const),
      ...(['payments_unavailable', 'in_progress', 'chain_unavailable'] as const),
    ],
    price: '/statement',
  },
  {
    id: 'readStatement',
    method: 'get',
    path: '/statement/{statement_id}',
    tag: 'Statements',
    summary: 'Read a statement',
    description:
      'Summary, rows and CSV, and what has no row: `skipped` and `left_out`, by reason. `/csv`, `/metadata.json` and `/image.png` give its files.',
    parameters: [statementIdPath],
    answer: { description: 'The statement.', schema: statementBody },
    errors: ['statement_not_found'],
  },
  {
    id: 'verifyTransaction',
    method: 'get',
    path: '/verify/{tx_signature}',
    tag: 'Transactions',
    summary: 'Read a transfer from the chain',
    description:
      'Who paid whom, how much of which token, its value in US dollars, and what else the transaction moved.',
    parameters: [path('tx_signature', TX)],
    answer: { description: 'The transfer.', schema: verifyBody },
    errors: ['invalid_request', ...READING],
  },
  {
    id: 'calculateValue',
    method: 'get',
    path: '/calculate/{tx_signature}',
    tag: 'Transactions',
    summary: 'Value in a local currency',
    description:
      'By the published rate of the day of the transaction, for one of 39 countries. `rate_source` and `rate_date` say whose rate it is, `rate_provisional` whether it may still change.',
    parameters: [
      path('tx_signature', TX),
      { ...query('country', 'Two-letter code of a supported country.', 'DE'), required: true },
    ],
    answer: { description: 'The value.', schema: calculateBody },
    errors: ['invalid_request', 'unsupported_country', ...READING, 'unsupported_token'],
  },
  {
    id: 'listTransfers',
    method: 'get',
    path: '/wallet/{address}/receipts',
    tag: 'Wallets',
    summary: 'USDC payments between two wallets',
    description:
      'Both ways, newest first, in whole UTC days, at most 366 of them. A transfer is a leg between the two, also of a transaction that pays others as well.',
    parameters: [
      path('address', 'A wallet address.'),
      { ...query('counterparty', 'The other wallet.'), required: true },
      query('period_start', 'First day, inclusive.', '2026-01-01'),
      query('period_end', 'Last day, inclusive.', '2026-01-31'),
    ],
    answer: { description: 'The payments.', schema: listTransfersBody },
    errors: ['invalid_request', 'too_many_transactions', 'chain_unavailable'],
  },
  {
    id: 'exportReceipts',
    method: 'get',
    path: '/wallet/{address}/export',
    tag: 'Wallets',
    summary: 'All receipts of a wallet as a file',
    description: `With values for a country, a row for each leg of the wallet. Formats: ${Object.keys(EXPORT_FORMATS).join(', ')}.`,
    parameters: [
      path('address', 'A wallet address.'),
      query('country', 'Two-letter code of a supported country.', 'US'),
      query('format', 'One of the formats.', 'csv'),
    ],
    answer: { description: 'The file.', media: 'text/csv' },
    errors: ['invalid_request', 'unsupported_country', 'rates_unavailable'],
  },
  {
    id: 'readPayment',
    method: 'get',
    path: '/payments/{signature}',
    tag: 'Payments',
    summary: 'What became of a payment',
    description:
      'Of everything that arrived at PAY_TO in USDC, SOL or a token of the table, presented or not: whether it was used, is unused or was given back, what of it is left, and its refunds. Unused ones keep for 90 days.',
    parameters: [path('signature', TX)],
    answer: { description: 'Its state.', schema: paymentBody },
    errors: ['invalid_request', 'payment_unknown', 'chain_unavailable'],
  },
  {
    id: 'readPricing',
    method: 'get',
    path: '/pricing',
    tag: 'Payments',
    summary: 'Every price',
    description: 'What everything costs, where it is paid, and whether it can be paid now.',
    parameters: [],
    answer: { description: 'The prices.', schema: pricingBody },
    errors: [],
  },
  {
    id: 'readIssuer',
    method: 'get',
    path: '/.well-known/quittance.json',
    tag: 'Service',
    summary: 'Keys and trees to check a receipt against',
    description: 'With the dates between which each was in use.',
    parameters: [],
    answer: { description: 'The issuer.', schema: issuerDocument },
    errors: [],
  },
  ...REGISTRATION_OPERATIONS,
  ...PROOF_OPERATIONS,
  ...ADMIN_OPERATIONS,
];
