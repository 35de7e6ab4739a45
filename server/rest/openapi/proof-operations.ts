import { statementProofBody } from '@/server/api/statement-schemas';
import { proofDocument } from '@quittance/verify/receipts/proof-document';
import { statementProof } from '@quittance/verify/statements/statement-proof';
import { path, query, receiptIdPath, statementIdPath, TX, type Operation } from './operation';

const NOT_YET = ['proof_not_ready', 'proof_missing', 'chain_unavailable'] as const;

/** What third parties check a receipt or a statement by, without this service: see `quittance-verify`. */
export const PROOF_OPERATIONS: readonly Operation[] = [
  {
    id: 'proveReceipt',
    method: 'get',
    path: '/receipt/{receipt_id}/proof',
    tag: 'Receipts',
    summary: 'Prove a receipt to a third party',
    description:
      'Both files as they were signed, and what is where on the chain: with a Solana node and the keys of the issuer all that a check needs. `quittance-verify`, the offline verifier, checks it.',
    parameters: [receiptIdPath],
    answer: { description: 'The proof.', schema: proofDocument },
    errors: ['receipt_not_found', ...NOT_YET],
  },
  {
    id: 'proveStatement',
    method: 'get',
    path: '/statement/{statement_id}/proof',
    tag: 'Statements',
    summary: 'Prove a statement to a third party',
    description:
      'As the proof of a receipt, with the rows. `quittance-verify`, the offline verifier, checks it, its CSV and one payment of it.',
    parameters: [statementIdPath],
    answer: { description: 'The proof.', schema: statementProof },
    errors: ['statement_not_found', ...NOT_YET],
  },
  {
    id: 'proveStatementRow',
    method: 'get',
    path: '/statement/{statement_id}/proof/{tx_signature}',
    tag: 'Statements',
    summary: 'Prove one row of a statement',
    description: 'The path from a row to the Merkle root that the stored facts name.',
    parameters: [
      statementIdPath,
      path('tx_signature', TX),
      query('leg', 'The `leg` of the row; without it, the first row of the transaction.', '0'),
    ],
    answer: { description: 'The proof.', schema: statementProofBody },
    errors: ['invalid_request', 'statement_not_found'],
  },
];
