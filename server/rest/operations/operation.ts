import type { z } from 'zod';
import type { createCaller } from '@/server/api/app-router';
import type { RequestContext } from '@/server/api/request-context';
import { type ErrorCode, ERRORS } from '@/server/errors';
import { trusted } from '@/server/trusted';
import { SAMPLES, variableOf } from './samples';

type Parameter = {
  name: string;
  in: 'path' | 'query' | 'header';
  required: boolean;
  description: string;
  example?: string;
  /** A header that the example of the operation sends, with the variable that holds it. */
  variable?: 'WALLET' | 'SIGNATURE' | 'TIME';
};

/** A request in the form of a handler; `params` are named as in the path of the table. */
export type RouteRequest = {
  ctx: RequestContext;
  caller: ReturnType<typeof createCaller>;
  params: Readonly<Record<string, string>>;
  query: Readonly<Record<string, string>>;
  /** Reads the JSON body; GET handlers never call it. */
  body: () => Promise<unknown>;
  /** The whole table, for the paths that describe it. */
  table: readonly Operation[];
};

/** An answer that is no refusal: JSON of a schema, or bytes of one of the media types. */
export type Answer = { description: string; headers?: readonly string[] } & (
  { schema: z.ZodType } | { media: readonly string[] }
);

/**
 * The access that a caller needs: nothing, a secret in `Authorization`, or the cookie of a page.
 */
type Security = 'adminToken' | 'metricsToken' | 'webhookSecret' | 'session';

/**
 * One operation of the REST interface: route handlers, the API description, /llms.txt, the docs page, CORS, HEAD
 * and 405 are made from it.
 */
export type Operation = {
  id: string;
  method: 'get' | 'post' | 'delete';
  path: string;
  tag: 'Receipts' | 'Statements' | 'Transactions' | 'Wallets' | 'Payments' | 'Service' | 'Admin';
  summary: string;
  description: string;
  parameters: readonly Parameter[];
  body?: { schema: z.ZodType; example: unknown; maxBytes?: number };
  /** By status, all that are no refusal by a code. */
  answers: Readonly<Record<number, Answer>>;
  /**
   * Codes of its refusals, in addition to those that `errorsOf` adds to each operation of its kind.
   */
  errors: readonly ErrorCode[];
  /** Route of the price list that says what it costs. */
  price?: string;
  /** Which limit of requests it is charged to; null: none. */
  limit: 'reads' | 'polls' | 'paid' | null;
  security?: Security;
  handler: (request: RouteRequest) => Promise<Response>;
};

/** Parameters by their place in the request. */
export function path(name: string, description: string): Parameter {
  const sample = variableOf(name);
  return {
    name,
    in: 'path',
    required: true,
    description,
    ...(sample === undefined ? {} : { example: SAMPLES[sample] }),
  };
}
export const query = (name: string, description: string, example?: string): Parameter => ({
  name,
  in: 'query',
  required: false,
  description,
  ...(example === undefined ? {} : { example }),
});
export const header = (
  name: string,
  description: string,
  variable?: Parameter['variable'],
): Parameter => ({
  name,
  in: 'header',
  required: false,
  description,
  ...(variable === undefined ? {} : { variable }),
});

/** The JSON body for a procedure, which parses it. */
export async function bodyOf<T>(request: RouteRequest): Promise<T> {
  return trusted<T>(await request.body(), 'the procedure parses its input');
}

/** A parameter of the path. */
export function param({ params }: RouteRequest, name: string): string {
  return params[name] ?? '';
}

/** The codes of an operation: its own, and those that come with its kind. */
export function errorsOf(operation: Operation): readonly ErrorCode[] {
  const { errors, body, limit, security } = operation;
  return [
    ...new Set<ErrorCode>([
      ...errors,
      ...(body === undefined ? [] : BODY_ERRORS),
      ...(limit === null ? [] : (['rate_limited'] as const)),
      ...(security === undefined ? [] : SECURITY_ERRORS[security]),
      'internal',
      'service_unavailable',
    ]),
  ];
}

const BODY_ERRORS = ['invalid_request', 'body_too_large', 'unsupported_media_type'] as const;
/** Without a secret in the settings the paths do not exist. */
const SECURITY_ERRORS: Readonly<Record<Security, readonly ErrorCode[]>> = {
  adminToken: ['admin_token_wrong', 'admin_role_missing', 'path_not_found'],
  metricsToken: ['path_not_found'],
  webhookSecret: ['webhook_secret_wrong', 'path_not_found'],
  session: ['not_signed_in'],
};

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
  header('Prefer', '`wait=N` waits up to 30 s for the NFT.'),
];

/** Proof of wallet over a text that holds the time. */
export const registering = (text: string) => [
  header('X-Wallet-Address', 'The wallet itself.', 'WALLET'),
  header(
    'X-Wallet-Signature',
    `Base58 Ed25519 signature by it over \`quittance:${text}\`.`,
    'SIGNATURE',
  ),
  header(
    'X-Wallet-Time',
    'The same time, ISO 8601 in UTC, within ten minutes of now. It counts once.',
    'TIME',
  ),
];

/** Answers of the common kinds. */
export const body = (description: string, schema: z.ZodType): Record<number, Answer> => ({
  200: { description, schema },
});
export const file = (description: string, ...media: string[]): Record<number, Answer> => ({
  200: { description, media },
});

/** Refusals of a reader of the chain. */
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

/** Every way in which a fee is asked for: a plain offer, or one after a payment that was not accepted. */
const OFFERS = codesOf(402);

/** Answers to a payment other than an offer. */
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
