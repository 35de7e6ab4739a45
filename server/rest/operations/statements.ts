import {
  statementBody,
  statementInput,
  statementPendingBody,
  statementProofBody,
  type StatementRequest,
} from '@/server/use-cases/statements/schemas';
import { statementProof } from '@quittance/verify/statements/statement-proof';
import { json, settlementHeaders } from '../respond';
import { serveStatementPreview } from '../previews/serve-preview';
import { serveStatementBytes, serveStatementCsv } from '../stored-bytes';
import {
  body,
  bodyOf,
  file,
  header,
  type Operation,
  param,
  path,
  PAYING,
  paymentHeaders,
  query,
  statementIdPath,
  TX,
  waitQuery,
} from './operation';
import { SAMPLES } from './samples';

/** The answer while the NFT of a statement is not there. */
const LATER = { 'Retry-After': '5' };
const SETTLED = ['PAYMENT-RESPONSE', 'X-PAYMENT-RESPONSE'];

export const STATEMENT_OPERATIONS: readonly Operation[] = [
  {
    id: 'createStatement',
    method: 'post',
    path: '/statement',
    tag: 'Statements',
    summary: 'Create a statement of many transactions',
    description:
      'Lists either the given `transactions`, or all payments of the wallet from `period_start` to `period_end`. The first request returns 402 with the number of transactions and the price. The wallet of the statement pays. Each leg of the wallet is a row, also of transactions with several sellers, so `row_count` may be larger than `tx_count`.',
    parameters: [
      header('X-Wallet-Address', 'The wallet that the statement is of, for an earlier payment.'),
      header('X-Wallet-Signature', 'Its signature over the text that the refusal shows.'),
      ...paymentHeaders,
    ],
    body: {
      schema: statementInput,
      example: {
        wallet_address: SAMPLES.WALLET,
        period_start: SAMPLES.PERIOD_START,
        period_end: SAMPLES.PERIOD_END,
        output_formats: ['json', 'csv'],
      },
      // 5,000 signatures of 88 characters, and as many again that are named twice.
      maxBytes: 1024 * 1024,
    },
    answers: {
      200: {
        description: 'The statement with its rows and CSV.',
        schema: statementBody,
        headers: SETTLED,
      },
      202: {
        description: 'It is written and paid for, but its NFT is not minted yet. Read it later.',
        schema: statementPendingBody,
        headers: [...SETTLED, 'Retry-After'],
      },
    },
    errors: [
      ...PAYING,
      ...(['nothing_to_state', 'transaction_not_found', 'transaction_failed'] as const),
      ...(['not_a_payment', 'several_payers', 'owner_unknown', 'several_tokens'] as const),
      ...(['unreadable_transaction', 'wallet_not_involved', 'transaction_not_final'] as const),
      ...(['scan_incomplete', 'too_many_quotes', 'unsupported_token', 'several_sellers'] as const),
      ...(['rate_not_covered', 'rates_unavailable', 'too_many_transactions'] as const),
      ...(['chain_unavailable', 'wallet_proof_missing'] as const),
    ],
    price: '/statement',
    limit: 'paid',
    handler: async (request) => {
      const input = await bodyOf<StatementRequest>(request);
      const result = await request.caller.statements.create(input);
      const headers = settlementHeaders(result.settlement);
      return result.outcome === 'stated'
        ? json(200, result.body, headers)
        : json(202, result.body, { ...headers, ...LATER });
    },
  },
  {
    id: 'readStatement',
    method: 'get',
    path: '/statement/{statement_id}',
    tag: 'Statements',
    summary: 'Read a statement',
    description:
      'Summary, rows and CSV. `skipped` and `left_out` list everything without a row, by reason. `/csv`, `/metadata.json` and `/image.png` return its files.',
    parameters: [statementIdPath, waitQuery],
    answers: {
      200: { description: 'The statement.', schema: statementBody },
      202: {
        description: 'The statement, before its NFT is minted.',
        schema: statementBody,
        headers: ['Retry-After'],
      },
    },
    errors: ['invalid_request', 'statement_not_found'],
    limit: 'reads',
    handler: async (request) => {
      const { wait } = request.query;
      const found = await request.caller.statements.find({
        statement_id: param(request, 'statement_id'),
        ...(wait === undefined ? {} : { wait }),
      });
      // 202 as POST answers it: the record is there, its NFT is not.
      return found.mint_status === 'pending' ? json(202, found, LATER) : json(200, found);
    },
  },
  {
    id: 'readStatementCsv',
    method: 'get',
    path: '/statement/{statement_id}/csv',
    tag: 'Statements',
    summary: 'Read the rows as CSV',
    description:
      'The canonical bytes, whose hash is in the NFT. They keep labels that the operator hid later.',
    parameters: [statementIdPath],
    answers: file('The file.', 'text/csv'),
    errors: ['statement_not_found'],
    limit: 'reads',
    handler: (request) => serveStatementCsv(request.ctx, param(request, 'statement_id')),
  },
  {
    id: 'readStatementMetadata',
    method: 'get',
    path: '/statement/{statement_id}/metadata.json',
    tag: 'Statements',
    summary: 'Read the stored metadata of a statement',
    description: 'The document on permanent storage, byte for byte as it was signed.',
    parameters: [statementIdPath],
    answers: file('The document.', 'application/json'),
    errors: ['statement_not_found'],
    limit: 'reads',
    handler: (request) =>
      serveStatementBytes(request.ctx, param(request, 'statement_id'), 'metadata'),
  },
  {
    id: 'readStatementImage',
    method: 'get',
    path: '/statement/{statement_id}/image.png',
    tag: 'Statements',
    summary: 'Read the stored image of a statement',
    description: 'A PNG, byte for byte as it was signed.',
    parameters: [statementIdPath],
    answers: file('The image.', 'image/png'),
    errors: ['statement_not_found'],
    limit: 'reads',
    handler: (request) => serveStatementBytes(request.ctx, param(request, 'statement_id'), 'image'),
  },
  {
    id: 'readStatementCard',
    method: 'get',
    path: '/s/{statement_id}/card.png',
    tag: 'Statements',
    summary: 'Preview image for links to a statement',
    description: 'A PNG of 1200 by 630 pixels: total, count, days and state.',
    parameters: [statementIdPath],
    answers: file('The image.', 'image/png'),
    errors: ['statement_not_found'],
    limit: 'reads',
    handler: (request) => serveStatementPreview(request.ctx, param(request, 'statement_id')),
  },
  {
    id: 'proveStatement',
    method: 'get',
    path: '/statement/{statement_id}/proof',
    tag: 'Statements',
    summary: 'Prove a statement to a third party',
    description:
      'Like the proof of a receipt, and with the rows. `npm run verify --` in the repository checks it, its CSV and one payment of it.',
    parameters: [statementIdPath],
    answers: body('The proof.', statementProof),
    errors: ['statement_not_found', 'proof_not_ready', 'proof_missing', 'chain_unavailable'],
    limit: 'reads',
    handler: async (request) =>
      json(
        200,
        await request.caller.statements.wholeProof({
          statement_id: param(request, 'statement_id'),
        }),
      ),
  },
  {
    id: 'proveStatementRow',
    method: 'get',
    path: '/statement/{statement_id}/proof/{tx_signature}',
    tag: 'Statements',
    summary: 'Prove one row of a statement',
    description: 'The path from a row to the Merkle root in the stored metadata.',
    parameters: [
      statementIdPath,
      path('tx_signature', TX),
      query('leg', 'The `leg` of the row; without it, the first row of the transaction.', '0'),
    ],
    answers: body('The proof.', statementProofBody),
    errors: ['invalid_request', 'statement_not_found'],
    limit: 'reads',
    handler: async (request) => {
      const { leg } = request.query;
      return json(
        200,
        await request.caller.statements.proof({
          statement_id: param(request, 'statement_id'),
          tx_signature: param(request, 'tx_signature'),
          ...(leg === undefined ? {} : { leg }),
        }),
      );
    },
  },
];
