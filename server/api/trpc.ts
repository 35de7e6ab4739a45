import { isNodeSilence } from '@quittance/verify/chain/rpc-errors';
import { initTRPC, TRPCError } from '@trpc/server';
import superjson from 'superjson';
import { z } from 'zod';
import { isDatabaseDown } from '@/server/db/is-database-down';
import { env } from '@/server/env';
import { ServiceError } from '@/server/errors';
import { metrics } from '@/server/metrics';
import { nameOperator, speaksOfOperator } from '@/server/operator-contact';
import { traced } from '@/server/tracing';
import { guardCall } from './guard-call';
import type { RequestContext } from './request-context';

const TRPC_CODE = {
  400: 'BAD_REQUEST',
  401: 'UNAUTHORIZED',
  402: 'PAYMENT_REQUIRED',
  403: 'FORBIDDEN',
  404: 'NOT_FOUND',
  405: 'METHOD_NOT_SUPPORTED',
  409: 'CONFLICT',
  413: 'PAYLOAD_TOO_LARGE',
  415: 'UNSUPPORTED_MEDIA_TYPE',
  429: 'TOO_MANY_REQUESTS',
  500: 'INTERNAL_SERVER_ERROR',
  503: 'SERVICE_UNAVAILABLE',
} as const;

const t = initTRPC.context<RequestContext>().create({
  transformer: superjson,
  // Stack traces go only into the log, whatever NODE_ENV says.
  isDev: false,
  errorFormatter({ shape, error, ctx }) {
    const refusal = toServiceError(error);
    return {
      ...shape,
      message: refusalText(refusal),
      data: {
        ...shape.data,
        code_word: refusal.code,
        details: refusal.details,
        request_id: ctx?.requestId ?? null,
      },
    };
  },
});

export const router = t.router;
export const createCallerFactory = t.createCallerFactory;

/**
 * Turns an error of a use case into a tRPC error of the same status, with the cause kept, and
 * counts the call.
 */
const mapErrors = t.middleware(async ({ path, next }) => {
  const started = performance.now();
  const result = await next();
  const refusal = result.ok ? null : toServiceError(result.error);
  const { calls, callSeconds } = metrics();
  calls.inc({ procedure: path, outcome: refusal?.code ?? 'ok' });
  callSeconds.observe({ procedure: path }, (performance.now() - started) / 1000);
  if (result.ok || refusal === null) return result;
  throw new TRPCError({
    code: TRPC_CODE[refusal.status],
    message: refusal.message,
    cause: refusal,
  });
});

/** Inside the mapping of errors, so that a refusal here is mapped like any other. */
const guard = t.middleware(({ ctx, path, type, next }) =>
  traced(`call ${path}`, {}, () =>
    guardCall(ctx, { path, type }, (guarded) => next({ ctx: guarded })),
  ),
);

export const procedure = t.procedure.use(mapErrors).use(guard);

/**
 * The refusal behind an error. An unknown error becomes `internal` with a fixed text: the cause is
 * for the log, never for the caller.
 */
export function toServiceError(error: unknown): ServiceError {
  if (error instanceof ServiceError) return error;
  const cause = error instanceof Error ? error.cause : undefined;
  if (cause instanceof ServiceError) return cause;
  if (error instanceof TRPCError && error.code === 'BAD_REQUEST' && cause instanceof z.ZodError)
    return invalidRequest(cause);
  for (const candidate of [error, cause]) {
    if (isNodeSilence(candidate))
      return new ServiceError(
        'chain_unavailable',
        'The Solana nodes did not answer. Nothing was lost. Send the same request again.',
        { cause: candidate },
      );
    if (isDatabaseDown(candidate))
      return new ServiceError(
        'service_unavailable',
        'The database did not answer. Nothing was lost. Send the same request again.',
        { cause: candidate },
      );
  }
  const unfit = error instanceof TRPCError ? refusedByLibrary(error) : null;
  if (unfit) return unfit;
  return new ServiceError('internal', INTERNAL, {
    cause: cause ?? error,
  });
}

const INTERNAL =
  'Something failed inside the service. Try again. If it fails again, send the request_id to the operator.';

/**
 * The refusal for a request that the tRPC library refuses before a procedure runs; null for a
 * failure.
 */
function refusedByLibrary(cause: TRPCError): ServiceError | null {
  switch (cause.code) {
    case 'NOT_FOUND':
      return new ServiceError('path_not_found', 'No such procedure.', { cause });
    case 'BAD_REQUEST':
      if (cause.cause instanceof SyntaxError) return notJson(cause);
      return new ServiceError('invalid_request', 'The request cannot be read.', { cause });
    case 'PARSE_ERROR':
      return notJson(cause);
    case 'METHOD_NOT_SUPPORTED':
      return new ServiceError('method_not_allowed', 'The procedure does not support this method.', {
        cause,
      });
    case 'UNSUPPORTED_MEDIA_TYPE':
      return new ServiceError(
        'unsupported_media_type',
        'The body must be sent as Content-Type: application/json.',
        { cause },
      );
    default:
      return null;
  }
}

function notJson(cause: TRPCError): ServiceError {
  return new ServiceError('invalid_request', 'Invalid request: the body is not valid JSON.', {
    cause,
  });
}

/**
 * Names each refused field with a sentence. `reasons` in the details has a code and its data for those whose refusal
 * has one, so that pages word it in their reader's language.
 */
function invalidRequest(error: z.ZodError): ServiceError {
  const fields = new Map<string, string>();
  const reasons = new Map<string, unknown>();
  for (const issue of error.issues) {
    const names =
      issue.code === 'unrecognized_keys' ? issue.keys : [issue.path.join('.') || 'body'];
    for (const name of names.slice(0, 20)) {
      const key = name.slice(0, 64);
      if (fields.has(key)) continue;
      fields.set(key, wordsFor(issue));
      const refusal: unknown = issue.code === 'custom' ? issue.params?.['refusal'] : undefined;
      if (refusal !== undefined) reasons.set(key, refusal);
    }
  }
  const text = [...fields].map(([name, message]) => `${name}: ${message}`).join('; ');
  return new ServiceError('invalid_request', `Invalid request: ${text}`, {
    details: {
      ...Object.fromEntries(fields),
      ...(reasons.size > 0 && { reasons: Object.fromEntries(reasons) }),
    },
  });
}

function wordsFor(issue: z.core.$ZodIssue): string {
  if (issue.code === 'unrecognized_keys') return 'is not a field of this request';
  // zod says "expected string, received undefined" of a field that was not sent.
  if (issue.code === 'invalid_type' && issue.message.endsWith('received undefined'))
    return 'is required';
  return issue.message;
}

/** The text of a refusal; one that sends the caller to the operator says who that is. */
export function refusalText({ message }: ServiceError): string {
  return speaksOfOperator(message) ? nameOperator(message, env().operator) : message;
}
