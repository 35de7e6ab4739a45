import type { z } from 'zod';
import { ERRORS, type ErrorCode } from '@/server/errors';
import { header, path, query, type Answer } from './operation';

export const TX = 'a transaction signature: base58 of 64 bytes';
export const receiptIdPath = path('receipt_id', 'Id of a receipt: 12 digits and capital letters.');
export const statementIdPath = path(
  'statement_id',
  'Id of a statement: STMT and 8 digits and capital letters.',
);
export const waitQuery = query('wait', 'Seconds to hold the answer, 0 to 30.', '20');

/** Headers of the two routes that cost money. */
export const paymentHeaders = [
  header('X-Payment', `Signature of the fee payment, ${TX}, or an x402 version 1 payload.`),
  header('PAYMENT-SIGNATURE', 'x402 version 2 payload.'),
  header('Prefer', '`wait=N` waits up to 30 s for the proof on chain.'),
];

/** Proof of wallet over a text that holds the time. */
export const registering = (text: string) => [
  header('X-Wallet-Address', 'The wallet itself.'),
  header('X-Wallet-Signature', `Base58 Ed25519 signature by it over \`quittance:${text}\`.`),
  header(
    'X-Wallet-Time',
    'The same time, ISO 8601 in UTC, within ten minutes of now; counts once.',
  ),
];

/** Answers of the common kinds. */
export const body = (description: string, schema: z.ZodType): Record<number, Answer> => ({
  200: { description, schema },
});
export const file = (description: string, ...media: string[]): Record<number, Answer> => ({
  200: { description, media },
});

/** What a reader of the chain may refuse. */
export const READING = [
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

/** Every way in which a fee is asked for: a plain offer, or one after a payment that was not taken. */
const OFFERS = codesOf(402);

/** What paying may be answered beside an offer. */
export const PAYING = [
  ...OFFERS,
  ...(['payment_unreadable', 'payer_proof_needed', 'not_a_participant'] as const),
  ...(['wallet_proof_invalid', 'payment_not_seen_yet', 'payment_pending'] as const),
  ...(['payments_unavailable', 'paid_wallet_busy', 'in_progress', 'paused'] as const),
] as const;

export function codesOf(status: number): ErrorCode[] {
  return codes().filter((code) => ERRORS[code].status === status);
}

export function codes(): ErrorCode[] {
  return Object.keys(ERRORS).filter(isCode);
}

function isCode(code: string): code is ErrorCode {
  return code in ERRORS;
}
