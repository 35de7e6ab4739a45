import {
  mintCreatedBody,
  mintExistsBody,
  mintInput,
  mintStatusBody,
  receiptBody,
  type MintBody,
} from '@/server/use-cases/receipts/schemas';
import { proofDocument } from '@quittance/verify/receipts/proof-document';
import { json, settlementHeaders } from '../respond';
import { serveReceiptPreview } from '../previews/serve-preview';
import { serveStoredBytes } from '../stored-bytes';
import {
  body,
  bodyOf,
  file,
  header,
  type Operation,
  param,
  PAYING,
  paymentHeaders,
  READING,
  receiptIdPath,
  waitQuery,
} from './operation';
import { SAMPLES } from './samples';

export const RECEIPT_OPERATIONS: readonly Operation[] = [
  {
    id: 'createReceipt',
    method: 'post',
    path: '/mint',
    tag: 'Receipts',
    summary: 'Create the receipt of a transaction',
    description:
      'Reads payer, seller and amount from the chain, and lists what else the transaction moved. Under 1 USD the receipt is free for the payer or the seller, who proves the wallet. From 1 USD up a fee is due, and the 402 offers it to three kinds of client. A transaction has one receipt. A repeat returns 409 with the existing id.',
    parameters: [
      header('X-Wallet-Address', 'Wallet of the caller: payer or seller.', 'WALLET'),
      header(
        'X-Wallet-Signature',
        'Base58 Ed25519 signature by that wallet over `quittance:{tx_signature}`.',
        'SIGNATURE',
      ),
      ...paymentHeaders,
    ],
    body: {
      schema: mintInput,
      example: {
        tx_signature: SAMPLES.TX_SIGNATURE,
        service_type: 'API access',
        transaction_type: 'sale',
        invoice_id: 'INV-2026-0042',
      },
    },
    answers: {
      200: {
        description: 'The receipt is written.',
        schema: mintCreatedBody,
        headers: ['PAYMENT-RESPONSE', 'X-PAYMENT-RESPONSE'],
      },
      409: { description: 'It exists already. Nothing is charged.', schema: mintExistsBody },
    },
    errors: [
      ...READING,
      ...PAYING,
      ...(['unsupported_token', 'wallet_proof_missing', 'free_mints_spent'] as const),
      ...(['free_mints_unavailable', 'transaction_not_final'] as const),
    ],
    price: '/mint',
    limit: 'paid',
    handler: async (request) => {
      const result = await request.caller.receipts.create(await bodyOf<MintBody>(request));
      return result.outcome === 'exists'
        ? json(409, result.body)
        : json(200, result.body, settlementHeaders(result.settlement));
    },
  },
  {
    id: 'readMintStatus',
    method: 'get',
    path: '/mint/status/{receipt_id}',
    tag: 'Receipts',
    summary: 'Follow the mint of a receipt',
    description:
      'The state of the NFT of a receipt. `wait` holds the answer until the state changes.',
    parameters: [receiptIdPath, waitQuery],
    answers: body('Its state now.', mintStatusBody),
    errors: ['invalid_request', 'receipt_not_found'],
    limit: 'polls',
    handler: async (request) => {
      const { wait } = request.query;
      return json(
        200,
        await request.caller.receipts.status({
          receipt_id: param(request, 'receipt_id'),
          ...(wait === undefined ? {} : { wait }),
        }),
      );
    },
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
    answers: body('The receipt.', receiptBody),
    errors: ['receipt_not_found'],
    limit: 'reads',
    handler: async (request) =>
      json(200, await request.caller.receipts.find({ receipt_id: param(request, 'receipt_id') })),
  },
  {
    id: 'readMetadata',
    method: 'get',
    path: '/receipt/{receipt_id}/metadata.json',
    tag: 'Receipts',
    summary: 'Read the stored metadata',
    description: 'The document on permanent storage, byte for byte as it was signed.',
    parameters: [receiptIdPath],
    answers: file('The document.', 'application/json'),
    errors: ['receipt_not_found'],
    limit: 'reads',
    handler: (request) => serveStoredBytes(request.ctx, param(request, 'receipt_id'), 'metadata'),
  },
  {
    id: 'readImage',
    method: 'get',
    path: '/receipt/{receipt_id}/image.png',
    tag: 'Receipts',
    summary: 'Read the stored image',
    description:
      'A PNG of 1000 by 1000 pixels, byte for byte as it was signed. If `labels_hidden` is true, the service draws it again with a note in place of the labels.',
    parameters: [receiptIdPath],
    answers: file('The image.', 'image/png'),
    errors: ['receipt_not_found'],
    limit: 'reads',
    handler: (request) => serveStoredBytes(request.ctx, param(request, 'receipt_id'), 'image'),
  },
  {
    id: 'readCard',
    method: 'get',
    path: '/r/{receipt_id}/card.png',
    tag: 'Receipts',
    summary: 'Preview image for links to a receipt',
    description: 'A PNG of 1200 by 630 pixels: amount, token, day and state, no labels.',
    parameters: [receiptIdPath],
    answers: file('The image.', 'image/png'),
    errors: ['receipt_not_found'],
    limit: 'reads',
    handler: (request) => serveReceiptPreview(request.ctx, param(request, 'receipt_id')),
  },
  {
    id: 'proveReceipt',
    method: 'get',
    path: '/receipt/{receipt_id}/proof',
    tag: 'Receipts',
    summary: 'Prove a receipt to a third party',
    description:
      'Both files as they were signed, and the places of everything on the chain. A check needs only this, a Solana node and the keys of the issuer. `npm run verify --` in the repository checks it.',
    parameters: [receiptIdPath],
    answers: body('The proof.', proofDocument),
    errors: ['receipt_not_found', 'proof_not_ready', 'proof_missing', 'chain_unavailable'],
    limit: 'reads',
    handler: async (request) =>
      json(200, await request.caller.receipts.proof({ receipt_id: param(request, 'receipt_id') })),
  },
];
