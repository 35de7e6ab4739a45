import type { ServiceError } from '@/server/errors';
import type { LimitState } from '@/server/limit-store';
import { refusalText } from '@/server/api/refusal-text';
import { refusalHeaders } from './payment-headers';

/** Version of the REST interface (decision: a breaking change is announced 6 months ahead). */
export const CONTRACT = 1;

/** Headers of every REST answer: open CORS without credentials, no caching unless the path says so. */
export const COMMON_HEADERS: Readonly<Record<string, string>> = {
  'Access-Control-Allow-Origin': '*',
  'Access-Control-Expose-Headers':
    'PAYMENT-REQUIRED, PAYMENT-RESPONSE, X-PAYMENT-RESPONSE, Retry-After, RateLimit-Limit, RateLimit-Remaining, RateLimit-Reset, X-Quittance-Version, X-Request-Id',
  'Cache-Control': 'no-store',
  // Whatever a browser makes of an answer, nothing in it runs or loads.
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
      // Known to be short, an answer is not compressed, which costs more than it saves.
      'Content-Length': String(bytes.length),
      'Content-Type': 'application/json; charset=utf-8',
      ...headers,
    },
  });
}

/** The answer of every refusal: a 402 is an offer, and every other one a plain error body. */
export function refusal(error: ServiceError, requestId: string): Response {
  const headers: Record<string, string> = { 'X-Request-Id': requestId, ...refusalHeaders(error) };
  if (error.retryAfterS !== null) headers['Retry-After'] = String(error.retryAfterS);
  const allow = error.details['allow'];
  if (typeof allow === 'string') headers['Allow'] = allow;
  // The body of a 429 is the sentence alone.
  if (error.status === 429) return json(429, { error: refusalText(error) }, headers);
  if (error.status === 402)
    return json(402, { ...error.details, code: error.code, request_id: requestId }, headers);
  return json(
    error.status,
    {
      success: false,
      error: refusalText(error),
      status_code: error.status,
      code: error.code,
      request_id: requestId,
      ...(Object.keys(error.details).length === 0 ? {} : { details: error.details }),
    },
    headers,
  );
}

/** Where a client stands in its limit: requests a window lets through, what is left, seconds to the next. */
export function limitHeaders(state: LimitState | null): Record<string, string> {
  if (!state) return {};
  return {
    'RateLimit-Limit': String(state.most),
    'RateLimit-Remaining': String(state.left),
    'RateLimit-Reset': String(Math.ceil(state.resetMs / 1000)),
  };
}
