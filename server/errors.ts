import {
  ACCOUNT_ERRORS,
  OPERATION_ERRORS,
  PAYMENT_ERRORS,
  STATEMENT_ERRORS,
} from './error-catalogue';

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
  ...PAYMENT_ERRORS,
  ...STATEMENT_ERRORS,
  invalid_request: {
    status: 400,
    cause: 'The request is malformed: a field is missing, unknown or of the wrong form.',
    fix: 'Correct the fields that `details` names and send the request again.',
  },
  transaction_not_found: {
    status: 400,
    cause: 'No node knows a confirmed transaction with this signature.',
    fix: 'Check the signature and the network. A new transaction needs a few seconds to be confirmed.',
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
    fix: 'A receipt has one payer. Pay in separate transactions.',
  },
  several_sellers: {
    status: 400,
    cause: 'Several wallets were paid, and no leg is worth at least 80 % of the total.',
    fix: 'A receipt has one seller. Pay in separate transactions, or ask for a statement, which lists every leg.',
  },
  several_tokens: {
    status: 400,
    cause:
      'One wallet was paid in several tokens, and none of them is worth at least 80 % of the total.',
    fix: 'A receipt has one token. Pay in separate transactions, or ask for a statement, which lists every leg.',
  },
  owner_unknown: {
    status: 400,
    cause: 'The transaction does not prove which wallet owns one of the token accounts.',
    fix: 'The service does not guess. Such a transaction cannot get a receipt.',
  },
  unsupported_token: {
    status: 400,
    cause: 'The service has no valuation for the token.',
    fix: 'Use a payment in one of the supported tokens. The error names the mint.',
  },
  unsupported_country: {
    status: 400,
    cause: '`country` is missing or is not one of the 39 supported codes.',
    fix: 'Use one of the two-letter codes that the error lists, in upper or lower case.',
  },
  rate_not_covered: {
    status: 400,
    cause:
      'No rate or price was published on the day of the transaction or in the 7 days before it.',
    fix: 'Use a transaction of a later day (the error names the first one), or another country. A statement names such a transaction or leg in `skipped`.',
  },
  unreadable_transaction: {
    status: 400,
    cause: 'The transaction is of a kind or version that the service cannot read.',
    fix: 'Use the signature of a legacy or version 0 transaction with balances and a block time.',
  },
  too_many_transactions: {
    status: 400,
    cause: 'The wallet has more transactions in or after the period than one request may read.',
    fix: 'Use a shorter or later period. The error names the limit.',
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
    cause: 'The payment does not name its request, so only the wallet that paid may use it.',
    fix: 'Sign the text that the error shows with the wallet that paid, or pay with the memo of the quote.',
  },
  admin_token_wrong: {
    status: 401,
    cause: 'The path is for operators, and the admin token is missing or wrong.',
    fix: 'Send Authorization: Bearer with the ADMIN_TOKEN of the service.',
  },
  admin_role_missing: {
    status: 403,
    cause: 'The token belongs to an operator without the role that the path needs.',
    fix: 'Ask an operator with that role, or have the role added in ADMIN_TOKENS.',
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
  path_not_found: {
    status: 404,
    cause: 'The service has no such path.',
    fix: 'See /openapi.json for the paths.',
  },
  method_not_allowed: {
    status: 405,
    cause: 'The path does not support this method.',
    fix: 'Use a method that the Allow header names.',
  },
  body_too_large: {
    status: 413,
    cause: 'The body is larger than the path accepts.',
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
    fix: 'Try again. If it fails again, send the request_id to the operator.',
  },
  in_progress: {
    status: 503,
    cause: 'Another request is working on the same transaction or payment.',
    fix: 'Send the same request again after Retry-After seconds.',
  },
  chain_unavailable: {
    status: 503,
    cause: 'No Solana node gave a usable answer.',
    fix: 'Send the same request again after Retry-After seconds. Nothing was lost.',
  },
  rates_unavailable: {
    status: 503,
    cause: 'The source of exchange rates or prices did not give a usable answer.',
    fix: 'Send the same request again after Retry-After seconds. Nothing was lost.',
  },
  evidence_unavailable: {
    status: 503,
    cause: 'The storage that the files are compared with gave no usable answer.',
    fix: 'Check again in a minute. This says nothing about the receipt or the statement.',
  },
  service_unavailable: {
    status: 503,
    cause: 'A part that the service depends on does not answer.',
    fix: 'Send the same request again after Retry-After seconds. Nothing was lost.',
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

/** The 400 of one entry of a request, which text and details name with the reason. */
export function invalidEntry(name: string, why: string): ServiceError {
  return new ServiceError('invalid_request', `Invalid request: ${name}: ${why}`, {
    details: { [name]: why },
  });
}
