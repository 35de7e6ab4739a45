import { createCaller } from '@/server/api/app-router';
import { requestContext, type RequestContext } from '@/server/api/request-context';
import { toServiceError } from '@/server/api/trpc';
import { ServiceError } from '@/server/errors';
import { traced, type SpanNote } from '@/server/tracing';
import type { Operation, RouteRequest } from './operations/operation';
import { COMMON_HEADERS, limitHeaders, PREFLIGHT_HEADERS, privateAnswer, refusal } from './respond';
import { DEFAULT_BODY_BYTES, readJson, readPricedJson } from './read-json';
import { writeRequestEvent } from './write-event';

type Handler = (request: RouteRequest) => Promise<Response>;
type Method = 'GET' | 'POST' | 'DELETE';
/** Longer than the longest wait of a caller and the work before it. */
const MOST_MS = 120_000;

/** Next passes no promise, or an empty one, for a path without parameters. */
type RouteContext = { params?: Promise<Record<string, string | string[] | undefined> | undefined> };
type NextHandler = (request: Request, context: RouteContext) => Promise<Response>;

/** The fields of an operation that the engine needs. The table is for handlers that describe it. */
type Served = {
  name: string;
  handler: Handler;
  maxBytes: number;
  isPriced: boolean;
  /** Whether the cookie of a sign-in counts. Then the answer is private. */
  isPrivate: boolean;
  table: readonly Operation[];
};

/** A path without a special operation. */
const PLAIN = { isPrivate: false, isPriced: false, maxBytes: DEFAULT_BODY_BYTES };

/**
 * Handlers of one REST path for Next.js: those of its operations, HEAD where there is GET, OPTIONS for CORS, and a
 * 405 for the rest. Every refusal leaves as the same error body and every request as one log event.
 */
export function route(
  name: string,
  operations: readonly Operation[],
  table: readonly Operation[] = operations,
) {
  const methods = operations.map(({ method }) => method.toUpperCase());
  const allow = [...methods, ...(methods.includes('GET') ? ['HEAD'] : []), 'OPTIONS'].join(', ');
  const isPrivate = operations.some(({ security }) => security === 'session');
  const plain = { ...PLAIN, name, table, isPrivate };
  const refuse: NextHandler = (request, context) =>
    answer({ ...plain, handler: refuseMethod(allow) }, request, context);
  const serve = (method: Method): NextHandler => {
    const operation = operations.find((one) => one.method.toUpperCase() === method);
    if (!operation) return refuse;
    const { handler, body, price } = operation;
    const maxBytes = body?.maxBytes ?? DEFAULT_BODY_BYTES;
    const served = { ...plain, handler, maxBytes, isPriced: price !== undefined };
    return (request, context) => answer(served, request, context);
  };
  return {
    GET: serve('GET'),
    HEAD: serve('GET'),
    POST: serve('POST'),
    DELETE: serve('DELETE'),
    PUT: refuse,
    PATCH: refuse,
    OPTIONS: async () => preflight(allow, isPrivate),
  };
}

/** The answer to requests with an unknown path or method: a refusal, for every method. */
export function refuseAll() {
  const served = { ...PLAIN, name: 'no path', table: [], handler: refuseKind };
  const refuse: NextHandler = (request, context) => answer(served, request, context);
  return {
    GET: refuse,
    HEAD: refuse,
    POST: refuse,
    DELETE: refuse,
    PUT: refuse,
    PATCH: refuse,
    OPTIONS: refuse,
  };
}

async function refuseKind({ params }: RouteRequest): Promise<Response> {
  if (params['kind'] === 'method')
    throw new ServiceError('method_not_allowed', 'The service does not support this method.', {
      details: { allow: 'GET, HEAD, POST, DELETE, OPTIONS' },
    });
  if (params['kind'] === 'path')
    throw new ServiceError('invalid_request', 'Invalid request: the path cannot be decoded.', {
      details: { path: 'cannot be decoded' },
    });
  throw new ServiceError('path_not_found', 'The service has no such path.');
}

/** Pages of other sites may call every path but those where a cookie counts. */
function preflight(allow: string, isPrivate: boolean): Response {
  const headers = {
    ...COMMON_HEADERS,
    ...PREFLIGHT_HEADERS,
    'Access-Control-Allow-Methods': allow,
  };
  const response = new Response(null, {
    status: 204,
    headers: isPrivate ? {} : headers,
  });
  response.headers.set('Allow', allow);
  return response;
}

function refuseMethod(allow: string): Handler {
  return async () => {
    throw new ServiceError('method_not_allowed', `This path supports ${allow}.`, {
      details: { allow },
    });
  };
}

async function answer(served: Served, request: Request, context: RouteContext): Promise<Response> {
  const { name, isPrivate } = served;
  const { method, headers } = request;
  const ctx = isPrivate
    ? requestContext(headers, { method, setCookie: () => undefined })
    : requestContext(headers);
  const known = { 'http.route': name, 'http.request.method': method };
  const response = await traced(
    `${method} ${name}`,
    { ...known, request_id: ctx.requestId },
    (span) => answerOnce({ served, request, context, ctx, span }),
  );
  return isPrivate ? privateAnswer(response) : response;
}

async function answerOnce(o: {
  served: Served;
  request: Request;
  context: RouteContext;
  ctx: RequestContext;
  span: SpanNote;
}): Promise<Response> {
  const { served, request, context, ctx, span } = o;
  const started = performance.now();
  let response: Response;
  let failure: ServiceError | null = null;
  try {
    response = await inTime(handle(request, { ctx, context, served }), MOST_MS);
    response.headers.set('X-Request-Id', ctx.requestId);
  } catch (error) {
    failure = toServiceError(error);
    response = refusal(failure, {
      requestId: ctx.requestId,
      publicUrl: ctx.service.env.publicUrl,
    });
  }
  for (const [header, value] of Object.entries(limitHeaders(ctx.limits.state)))
    response.headers.set(header, value);
  span.set({ 'http.response.status_code': response.status, code: failure?.code ?? 'ok' });
  if (response.status >= 500) span.fail(failure?.code ?? 'internal');
  writeRequestEvent({
    requestId: ctx.requestId,
    route: served.name,
    method: request.method,
    status: response.status,
    durationMs: performance.now() - started,
    failure,
    rpcPoints: ctx.limits.rpcPoints,
    limitLeft: ctx.limits.state?.left ?? null,
    actor: actorOf(ctx),
    subject: new URL(request.url).pathname.split('/').find((part) => part.length >= 12) ?? null,
  });
  return response;
}

/** By what the caller sent. The status says whether it was right. */
function actorOf({ authorization, proof }: RequestContext): 'admin' | 'wallet' | 'anyone' {
  if (authorization !== null) return 'admin';
  return proof.address === null ? 'anyone' : 'wallet';
}

async function handle(
  request: Request,
  o: { ctx: RequestContext; context: RouteContext; served: Served },
): Promise<Response> {
  const params = await o.context.params;
  return o.served.handler({
    ctx: o.ctx,
    caller: createCaller(o.ctx),
    params: Object.fromEntries(
      Object.entries(params ?? {}).flatMap(([key, value]) =>
        typeof value === 'string' ? [[tableName(key), value]] : [],
      ),
    ),
    query: Object.fromEntries(new URL(request.url).searchParams),
    body: () => (o.served.isPriced ? readPricedJson : readJson)(request, o.served.maxBytes),
    table: o.served.table,
  });
}

/** A folder of Next is named `[receiptId]`, and a parameter of the table `receipt_id`. */
function tableName(folder: string): string {
  return folder.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

/** Everything a request does is safe to repeat, so a request that takes too long may be dropped. */
async function inTime<T>(work: Promise<T>, mostMs: number): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(
      () =>
        reject(
          new ServiceError(
            'service_unavailable',
            'The answer took too long. Nothing was lost. Send the same request again.',
          ),
        ),
      mostMs,
    );
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
