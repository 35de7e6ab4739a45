import { refusalText } from '@/server/api/trpc';
import type { ErrorCode, ServiceError } from '@/server/errors';
import type { LimitState } from '@/server/limit-store';
import { PaymentRefusal, type Settlement } from '@/server/payments/describe-challenge';

/** Version of the REST interface (decision: a breaking change is announced 6 months ahead). */
export const CONTRACT = 1;

/** Headers of every REST answer: open CORS without credentials, no caching unless the path says so. */
export const COMMON_HEADERS: Readonly<Record<string, string>> = {
  'Access-Control-Allow-Origin': '*',
  'Access-Control-Expose-Headers':
    'PAYMENT-REQUIRED, PAYMENT-RESPONSE, X-PAYMENT-RESPONSE, Link, Retry-After, RateLimit-Limit, RateLimit-Remaining, RateLimit-Reset, X-Quittance-Version, X-Request-Id',
  'Cache-Control': 'no-store',
  // Nothing in an answer runs or loads in a browser.
  'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'; sandbox",
  'X-Content-Type-Options': 'nosniff',
  'X-Quittance-Version': String(CONTRACT),
};

export const PREFLIGHT_HEADERS: Readonly<Record<string, string>> = {
  'Access-Control-Allow-Headers':
    'Content-Type, Prefer, X-Payment, PAYMENT-SIGNATURE, Access-Control-Expose-Headers, X-Wallet-Address, X-Wallet-Signature, X-Wallet-Time',
  'Access-Control-Max-Age': '86400',
};

export function json(
  status: number,
  body: unknown,
  headers: Record<string, string> = {},
): Response {
  const bytes = Buffer.from(JSON.stringify(body));
  return new Response(bytes, {
    status,
    headers: {
      ...COMMON_HEADERS,
      // A short answer is not compressed, because that costs more than it saves.
      'Content-Length': String(bytes.length),
      'Content-Type': 'application/json; charset=utf-8',
      ...headers,
    },
  });
}

/** Address of the entry of an error in the list on /docs, which says its cause and its fix. */
const docsOf = (publicUrl: string, code: ErrorCode): string => `${publicUrl}/docs#error-${code}`;

/**
 * The answer of every refusal: a 402 is an offer, and every other one a plain error body. The `Link` header and, except
 * for a 429, the field `docs` lead to the entry of the error on /docs.
 */
export function refusal(
  error: ServiceError,
  { requestId, publicUrl }: { requestId: string; publicUrl: string },
): Response {
  const docs = docsOf(publicUrl, error.code);
  const headers: Record<string, string> = {
    'X-Request-Id': requestId,
    Link: `<${docs}>; rel="help"`,
    ...refusalHeaders(error),
  };
  if (error.retryAfterS !== null) headers['Retry-After'] = String(error.retryAfterS);
  const allow = error.details['allow'];
  if (typeof allow === 'string') headers['Allow'] = allow;
  // The body of a 429 is the sentence alone.
  if (error.status === 429) return json(429, { error: refusalText(error) }, headers);
  if (error.status === 402)
    return json(402, { ...error.details, code: error.code, request_id: requestId, docs }, headers);
  return json(
    error.status,
    {
      success: false,
      error: refusalText(error),
      status_code: error.status,
      code: error.code,
      request_id: requestId,
      docs,
      ...(Object.keys(error.details).length === 0 ? {} : { details: error.details }),
    },
    headers,
  );
}

/** State of a client's limit: requests in a window, what is left, seconds to the next window. */
export function limitHeaders(state: LimitState | null): Record<string, string> {
  if (!state) return {};
  return {
    'RateLimit-Limit': String(state.most),
    'RateLimit-Remaining': String(state.left),
    'RateLimit-Reset': String(Math.ceil(state.resetMs / 1000)),
  };
}

/** Result of a payment, in the headers of x402 v2 and v1: clients read one of the two. */
export function settlementHeaders(settlement: Settlement | null): Record<string, string> {
  if (settlement === null) return {};
  const value = Buffer.from(JSON.stringify(settlement)).toString('base64');
  return { 'PAYMENT-RESPONSE': value, 'X-PAYMENT-RESPONSE': value };
}

/** Headers of a refusal: the offer of x402 v2, and the result of the payment that came. */
function refusalHeaders(error: ServiceError): Record<string, string> {
  if (!(error instanceof PaymentRefusal)) return {};
  const header = error.challenge?.header ?? null;
  return {
    ...(header === null ? {} : { 'PAYMENT-REQUIRED': header }),
    ...settlementHeaders(error.settlement),
  };
}

/**
 * Marks an answer that depends on a session: no cache keeps it, and no foreign page may read
 * it. So the next person who signs in on the same machine does not see it. Refusals too, because they
 * show who is signed in.
 */
export function privateAnswer(response: Response): Response {
  response.headers.set('Cache-Control', 'no-store');
  response.headers.append('Vary', 'Cookie');
  response.headers.delete('Access-Control-Allow-Origin');
  return response;
}

/**
 * The same answer with its length. A short answer is not compressed, because that costs more than
 * it saves. For answers of libraries. Reads the whole body.
 */
export async function withLength(response: Response): Promise<Response> {
  const { status, headers } = response;
  const bytes = Buffer.from(await response.arrayBuffer());
  if (bytes.length === 0) return new Response(null, { status, headers });
  headers.set('Content-Length', String(bytes.length));
  return new Response(bytes, { status, headers });
}
