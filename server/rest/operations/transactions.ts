import {
  listTransfersBody,
  type ExportInput,
  type ListTransfersInput,
} from '@/server/use-cases/transfers/schemas';
import { calculateBody, verifyBody } from '@/server/use-cases/receipts/schemas';
import { EXPORT_FORMATS } from '@/server/exports/export-format';
import { trusted } from '@/server/trusted';
import { json } from '../respond';
import { streamText } from '../stream-text';
import {
  body,
  file,
  type Operation,
  param,
  path,
  query,
  READING,
  type RouteRequest,
  TX,
} from './operation';
import { SAMPLES } from './samples';

/** A wallet of the path and all of the query, which the procedure parses. */
function walletInput<T>(request: RouteRequest): T {
  const input = { ...request.query, address: param(request, 'address') };
  return trusted<T>(input, 'the procedure parses its input');
}

/** Readings of transactions and wallets, without an account. */
export const TRANSACTION_OPERATIONS: readonly Operation[] = [
  {
    id: 'verifyTransaction',
    method: 'get',
    path: '/verify/{tx_signature}',
    tag: 'Transactions',
    summary: 'Read a transfer from the chain',
    description:
      'Payer, seller, token, amount, the value in US dollars, and what else the transaction moved.',
    parameters: [path('tx_signature', TX)],
    answers: body('The transfer.', verifyBody),
    errors: ['invalid_request', ...READING],
    limit: 'reads',
    handler: async (request) =>
      json(
        200,
        await request.caller.receipts.verifyTransaction({
          tx_signature: param(request, 'tx_signature'),
        }),
      ),
  },
  {
    id: 'calculateValue',
    method: 'get',
    path: '/calculate/{tx_signature}',
    tag: 'Transactions',
    summary: 'Calculate the value in a local currency',
    description:
      'By the published rate of the day of the transaction, for one of 39 countries. `rate_source` and `rate_date` name the rate. `rate_provisional` is true while it may still change.',
    parameters: [
      path('tx_signature', TX),
      { ...query('country', 'Two-letter code of a supported country.', 'DE'), required: true },
    ],
    answers: body('The value.', calculateBody),
    errors: ['invalid_request', 'unsupported_country', ...READING, 'unsupported_token'],
    limit: 'reads',
    handler: async (request) =>
      json(
        200,
        await request.caller.receipts.calculate({
          tx_signature: param(request, 'tx_signature'),
          country: request.query['country'],
        }),
      ),
  },
  {
    id: 'listTransfers',
    method: 'get',
    path: '/wallet/{address}/receipts',
    tag: 'Wallets',
    summary: 'List USDC payments between two wallets',
    description:
      'Both ways, newest first, for at most 366 whole UTC days. A transfer is a leg between the two wallets, even if its transaction pays others as well.',
    parameters: [
      path('address', 'A wallet address.'),
      { ...query('counterparty', 'The other wallet.', SAMPLES.COUNTERPARTY), required: true },
      query('period_start', 'First day, inclusive.', '2026-01-01'),
      query('period_end', 'Last day, inclusive.', '2026-01-31'),
    ],
    answers: body('The payments.', listTransfersBody),
    errors: ['invalid_request', 'too_many_transactions', 'chain_unavailable'],
    limit: 'reads',
    handler: async (request) =>
      json(
        200,
        await request.caller.wallets.listTransfers(walletInput<ListTransfersInput>(request)),
      ),
  },
  {
    id: 'exportReceipts',
    method: 'get',
    path: '/wallet/{address}/export',
    tag: 'Wallets',
    summary: 'Export all receipts of a wallet',
    description: `With values for a country, and a row for each leg of the wallet. Formats: ${Object.keys(EXPORT_FORMATS).join(', ')}.`,
    parameters: [
      path('address', 'A wallet address.'),
      query('country', 'Two-letter code of a supported country.', 'US'),
      query('format', 'One of the formats.', 'csv'),
    ],
    answers: file('The file.', 'text/csv', 'application/json'),
    errors: ['invalid_request', 'unsupported_country', 'rates_unavailable', 'rate_not_covered'],
    limit: 'reads',
    handler: async (request) => {
      const { pieces, ...described } = await request.caller.wallets.exportReceipts(
        walletInput<ExportInput>(request),
      );
      return streamText(pieces, { ...described, requestId: request.ctx.requestId });
    },
  },
];
