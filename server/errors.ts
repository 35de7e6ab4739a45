import { ACCOUNT_ERRORS } from './account-errors';
import { OPERATION_ERRORS } from './operation-errors';
import { STATEMENT_ERRORS } from './statement-errors';

/** A stable word for every way a request can be refused. Each has one entry in {@link ERRORS}. */
export type ErrorCode = keyof typeof ERRORS;

type ErrorEntry = {
  status: 400 | 401 | 402 | 403 | 404 | 405 | 409 | 413 | 415 | 429 | 500 | 503;
  cause: string;
  fix: string;
};

/** The catalogue: answers, the API description and the docs are made from it. */
export const ERRORS = {
  ...ACCOUNT_ERRORS,
  ...STATEMENT_ERRORS,
  invalid_request: {
    status: 400,
    cause: 'The request is malformed: a field is missing, unknown or of the wrong form.',
    fix: 'Correct the fields that `details` names and send the request again.',
  },
  transaction_not_found: {
    status: 400,
    cause: 'No node knows a confirmed transaction with this signature.',
    fix: 'Check the signature and the network; a new transaction needs a few seconds to be confirmed.',
  },
  transaction_failed: {
    status: 400,
    cause: 'The transaction failed on chain, so nothing was paid.',
    fix: 'Send the payment again and use the signature of the one that succeeded.',
  },
  not_a_payment: {
    status: 400,
    cause: 'The transaction moves nothing from one owner to another, or it is a swap.',
    fix: 'Use the signature of a plain transfer between two wallets.',
  },
  several_payers: {
    status: 400,
    cause: 'More than one wallet paid in this transaction.',
    fix: 'A receipt is for one payer; pay in separate transactions.',
  },
  several_sellers: {
    status: 400,
    cause: 'Several wallets were paid and no leg is worth at least 80 % of all that was paid.',
    fix: 'A receipt is for one seller. Pay in separate transactions, or ask for a statement, which lists every leg.',
  },
  several_tokens: {
    status: 400,
    cause: 'One wallet was paid in several tokens, and none of them is 80 % of the value.',
    fix: 'A receipt is for one token. Pay in separate transactions, or ask for a statement, which lists every leg.',
  },
  owner_unknown: {
    status: 400,
    cause: 'The transaction does not prove which wallet owns one of the token accounts.',
    fix: 'Nothing is guessed: such a transaction cannot be receipted.',
  },
  unsupported_token: {
    status: 400,
    cause: 'The token is not one that can be valued.',
    fix: 'Use a payment in one of the supported tokens; the error names the mint.',
  },
  unsupported_country: {
    status: 400,
    cause: 'The country is missing or is none of the 39 that the service has a currency for.',
    fix: 'Use one of the two-letter codes that the error lists, in any case.',
  },
  rate_not_covered: {
    status: 400,
    cause: 'No rate was published on the day of the transaction or in the 7 days before it.',
    fix: 'Use a transaction of a later day (the error names the first one), or another country.',
  },
  unreadable_transaction: {
    status: 400,
    cause: 'The transaction is of a kind or version that the service cannot read.',
    fix: 'Use the signature of a legacy or version 0 transaction with balances and a block time.',
  },
  payment_unreadable: {
    status: 400,
    cause: 'The payment header is in none of the forms that the service reads.',
    fix: 'Send a transaction signature or x402 v1 in X-Payment, or x402 v2 in PAYMENT-SIGNATURE.',
  },
  payment_not_sent: {
    status: 400,
    cause: 'The chain did not take the payment that was to be sent, so no money moved.',
    fix: 'Mend what the error names, such as a balance, and sign a new payment.',
  },
  refund_invalid: {
    status: 400,
    cause:
      'The chain does not show that this transaction gives the payment, or a part of what is left of it, back to its payer, or takes money out of PAY_TO.',
    fix: 'Use the signature of a final transfer to the payer, in the token of the payment and of at most `left_raw`.',
  },
  too_many_transactions: {
    status: 400,
    cause: 'The wallet has more transactions in or after the period than one request may read.',
    fix: 'Ask for a shorter or later period; the error names the limit.',
  },
  wallet_proof_missing: {
    status: 401,
    cause:
      'The request needs X-Wallet-Address and X-Wallet-Signature, and one or both are missing.',
    fix: 'Sign the text that the error shows with the wallet and send both headers.',
  },
  wallet_proof_invalid: {
    status: 401,
    cause: 'The signature is not of this wallet over the expected text.',
    fix: 'Sign exactly the text that the error shows, with the wallet named in X-Wallet-Address.',
  },
  payer_proof_needed: {
    status: 401,
    cause:
      'The payment does not name the request it is for, so only the wallet that paid may use it.',
    fix: 'Sign the text that the error shows with the wallet that paid, or pay with the memo of the quote.',
  },
  admin_token_wrong: {
    status: 401,
    cause: 'The path is for operators, and the admin token is missing or wrong.',
    fix: 'Send Authorization: Bearer with the ADMIN_TOKEN of the service.',
  },
  payment_required: {
    status: 402,
    cause: 'A fee is due and no payment came with the request.',
    fix: 'Pay as the answer says and send the same request again with the payment.',
  },
  payment_failed: {
    status: 402,
    cause: 'The payment failed on chain, so nothing was paid.',
    fix: 'Pay again with a transaction that succeeds.',
  },
  payment_not_to_us: {
    status: 402,
    cause: "The transaction credits nothing to the service's USDC account.",
    fix: 'Pay to the account of payTo that the answer names.',
  },
  payment_wrong_token: {
    status: 402,
    cause: 'The transaction pays the service in another token than USDC.',
    fix: 'Pay in USDC, by the mint that the answer names.',
  },
  payment_several_payers: {
    status: 402,
    cause: 'The transaction does not show one single wallet that paid.',
    fix: 'Pay from one wallet.',
  },
  payment_too_little: {
    status: 402,
    cause: 'The payment is smaller than the price.',
    fix: 'Pay the amount of the quote. The smaller payment can be refunded by the operator.',
  },
  payment_not_exact: {
    status: 402,
    cause: 'A payment without the memo of its quote must be exactly the price.',
    fix: 'Pay with the memo of the quote, or exactly its price.',
  },
  payment_too_old: {
    status: 402,
    cause: 'The payment was made more than 48 hours ago.',
    fix: 'Pay again. The old payment can be refunded by the operator.',
  },
  payment_without_quote: {
    status: 402,
    cause: 'No quote for this request was open when the payment was made.',
    fix: 'Ask for a quote first, then pay it.',
  },
  payment_quote_closed: {
    status: 402,
    cause: 'The quote that the payment names was not open when the payment was made.',
    fix: 'The payer may use the payment for another request with its wallet headers.',
  },
  payment_for_another_request: {
    status: 402,
    cause: 'The payment names the quote of another request.',
    fix: 'Send the request that the payment was made for.',
  },
  payment_is_the_transaction: {
    status: 402,
    cause: 'The payment is the very transaction that the request is about.',
    fix: 'Pay the fee in a transaction of its own.',
  },
  payment_already_used: {
    status: 402,
    cause: 'The payment has bought something else.',
    fix: 'Make a payment for this request.',
  },
  payment_refunded: {
    status: 402,
    cause: 'The payment was given back to its payer.',
    fix: 'Make a new payment.',
  },
  payment_invalid: {
    status: 402,
    cause: 'The x402 payment does not verify; `reason` says why. Nothing moved.',
    fix: 'Pay as the answer says and send the same request again.',
  },
  not_a_participant: {
    status: 403,
    cause: 'The wallet is neither payer nor seller of the transaction.',
    fix: 'Call with the wallet that paid or was paid.',
  },
  receipt_not_found: {
    status: 404,
    cause: 'No receipt has this id.',
    fix: 'Check the id: 12 characters, digits and capital letters.',
  },
  payment_unknown: {
    status: 404,
    cause: 'Nothing arrived under this signature, or it is not final yet.',
    fix: 'Send the payment with the request that it pays for, or look again once it is final.',
  },
  quote_unknown: {
    status: 404,
    cause: 'There is no open offer with this id, or a page did not prepare its payment.',
    fix: 'Ask for what you want to buy again: the answer carries a new offer.',
  },
  path_not_found: {
    status: 404,
    cause: 'The service has no such path.',
    fix: 'See /openapi.json for the paths.',
  },
  refund_conflict: {
    status: 409,
    cause: 'Nothing is left of the payment, or the transaction is on record as something else.',
    fix: 'Look at /admin/payments/{signature}.',
  },
  method_not_allowed: {
    status: 405,
    cause: 'The path does not take this method.',
    fix: 'Use a method that the Allow header names.',
  },
  body_too_large: {
    status: 413,
    cause: 'The body is larger than the path takes.',
    fix: 'Send at most 256 KiB (1 MiB to /statement).',
  },
  unsupported_media_type: {
    status: 415,
    cause: 'The body is not declared as JSON.',
    fix: 'Send Content-Type: application/json.',
  },
  internal: {
    status: 500,
    cause: 'Something failed inside the service.',
    fix: 'Try again; if it stays, tell the operator the request_id.',
  },
  in_progress: {
    status: 503,
    cause: 'Another request is at work on the same transaction or payment right now.',
    fix: 'Send the same request again after Retry-After seconds.',
  },
  chain_unavailable: {
    status: 503,
    cause: 'No Solana node gave a usable answer.',
    fix: 'Send the same request again after Retry-After seconds; nothing was lost.',
  },
  payment_not_seen_yet: {
    status: 503,
    cause: 'No node knows the payment yet.',
    fix: 'Send the same request with the same X-Payment again after Retry-After seconds. Do not pay again.',
  },
  payment_pending: {
    status: 503,
    cause: 'The payment was sent to the chain and is not confirmed yet.',
    fix: 'Send the same request with the same payment again after Retry-After seconds. It is not charged twice.',
  },
  rates_unavailable: {
    status: 503,
    cause: 'The source of exchange rates or prices did not give a usable answer.',
    fix: 'Send the same request again after Retry-After seconds; nothing was lost.',
  },
  payments_unavailable: {
    status: 503,
    cause: 'A fee is due for this transaction and the service takes no payments at the moment.',
    fix: 'Try again later. Nothing was charged.',
  },
  evidence_unavailable: {
    status: 503,
    cause:
      'What a receipt is checked against, the chain, its index or the storage, does not answer.',
    fix: 'Check again in a little while; it says nothing about the receipt.',
  },
  service_unavailable: {
    status: 503,
    cause: 'A part the service depends on does not answer.',
    fix: 'Send the same request again after Retry-After seconds; nothing was lost.',
  },
  ...OPERATION_ERRORS,
} as const satisfies Record<string, ErrorEntry>;

/**
 * A refusal that a caller sees. `message` says what was tried, what was seen and what to do;
 * `details` names fields; `retryAfterS` goes out as Retry-After.
 */
export class ServiceError extends Error {
  readonly code: ErrorCode;
  readonly status: ErrorEntry['status'];
  readonly details: Readonly<Record<string, unknown>>;
  readonly retryAfterS: number | null;

  constructor(
    code: ErrorCode,
    message: string,
    options: {
      cause?: unknown;
      details?: Record<string, unknown>;
      retryAfterS?: number;
    } = {},
  ) {
    super(message, { cause: options.cause });
    this.name = 'ServiceError';
    this.code = code;
    this.status = ERRORS[code].status;
    this.details = options.details ?? {};
    this.retryAfterS = options.retryAfterS ?? (this.status === 503 ? 5 : null);
  }
}
