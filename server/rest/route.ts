import { createCaller } from '@/server/api/app-router';
import { requestContext, type RequestContext } from '@/server/api/request-context';
import { toServiceError } from '@/server/api/trpc';
import { ServiceError } from '@/server/errors';
import { traced, type SpanNote } from '@/server/tracing';
import { COMMON_HEADERS, limitHeaders, PREFLIGHT_HEADERS, refusal } from './respond';
import { DEFAULT_BODY_BYTES, readJson } from './read-json';
import { writeRequestEvent } from './write-event';

export type Caller = ReturnType<typeof createCaller>;
export type RouteRequest = {
  ctx: RequestContext;
  caller: Caller;
  params: Readonly<Record<string, string>>;
  query: Readonly<Record<string, string>>;
  /** Reads the JSON body; GET handlers never call it. */
  body: () => Promise<unknown>;
};
type Handler = (request: RouteRequest) => Promise<Response>;
type Method = 'GET' | 'POST' | 'DELETE';
/** Longer than any wait that a caller may ask for, and what comes before it. */
const MOST_MS = 120_000;

/** Next gives a path without parameters no promise, or one of nothing. */
type RouteContext = { params?: Promise<Record<string, string | string[] | undefined> | undefined> };
type RouteOptions = {
  maxBodyBytes?: number;
  /** Longest a request may take, from its headers to those of the answer. */
  mostMs?: number;
};
type NextHandler = (request: Request, context: RouteContext) => Promise<Response>;

/**
 * Handlers of one REST path for Next.js: the given methods, OPTIONS for CORS, and a 405 for the rest.
 * Every refusal leaves as the same error body and every request as one log event.
 */
export function route(
  name: string,
  handlers: Partial<Record<Method, Handler>>,
  options: RouteOptions = {},
) {
  const allow = [...Object.keys(handlers), ...('GET' in handlers ? ['HEAD'] : []), 'OPTIONS'].join(
    ', ',
  );
  const serve =
    (method: Method): NextHandler =>
    (request, context) =>
      answer(name, request, context, handlers[method] ?? refuseMethod(allow), options);
  const refuse: NextHandler = (request, context) =>
    answer(name, request, context, refuseMethod(allow), options);
  return {
    GET: serve('GET'),
    HEAD: serve('GET'),
    POST: serve('POST'),
    DELETE: serve('DELETE'),
    PUT: refuse,
    PATCH: refuse,
    OPTIONS: async () =>
      new Response(null, {
        status: 204,
        headers: {
          ...COMMON_HEADERS,
          ...PREFLIGHT_HEADERS,
          Allow: allow,
          'Access-Control-Allow-Methods': allow,
        },
      }),
  };
}

/** Handlers of every path below a REST prefix that is none of ours: JSON 404, whatever the method. */
export function unknownPath() {
  const missing: Handler = async () => {
    throw new ServiceError('path_not_found', 'The service has no such path.');
  };
  const paths = route('unknown', { GET: missing, POST: missing, DELETE: missing });
  return { ...paths, PUT: paths.POST, PATCH: paths.POST };
}

/** What requests get that reach no path, because their path or their method is none. */
export function badRequest() {
  const refuse: Handler = async ({ params }) => {
    if (params['kind'] === 'method')
      throw new ServiceError('method_not_allowed', 'The service takes no such method.', {
        details: { allow: 'GET, HEAD, POST, DELETE, OPTIONS' },
      });
    throw new ServiceError('invalid_request', 'Invalid request: the path cannot be decoded.', {
      details: { path: 'cannot be decoded' },
    });
  };
  const paths = route('bad request', { GET: refuse, POST: refuse, DELETE: refuse });
  return { ...paths, PUT: paths.POST, PATCH: paths.POST };
}

function refuseMethod(allow: string): Handler {
  return async () => {
    throw new ServiceError('method_not_allowed', `This path takes ${allow}.`, {
      details: { allow },
    });
  };
}

async function answer(
  name: string,
  request: Request,
  context: RouteContext,
  handler: Handler,
  options: RouteOptions,
): Promise<Response> {
  const ctx = requestContext(request.headers);
  const known = { 'http.route': name, 'http.request.method': request.method };
  return traced(`${request.method} ${name}`, { ...known, request_id: ctx.requestId }, (span) =>
    answerOnce({ name, request, context, handler, options, ctx, span }),
  );
}

async function answerOnce(o: {
  name: string;
  request: Request;
  context: RouteContext;
  handler: Handler;
  options: RouteOptions;
  ctx: RequestContext;
  span: SpanNote;
}): Promise<Response> {
  const { name, request, context, handler, options, ctx, span } = o;
  const started = performance.now();
  let response: Response;
  let failure: ServiceError | null = null;
  try {
    response = await inTime(
      serve(request, { ctx, context, handler, options }),
      options.mostMs ?? MOST_MS,
    );
    response.headers.set('X-Request-Id', ctx.requestId);
  } catch (error) {
    failure = toServiceError(error);
    response = refusal(failure, ctx.requestId);
  }
  for (const [header, value] of Object.entries(limitHeaders(ctx.limits.state)))
    response.headers.set(header, value);
  span.set({ 'http.response.status_code': response.status, code: failure?.code ?? 'ok' });
  if (response.status >= 500) span.fail(failure?.code ?? 'internal');
  writeRequestEvent({
    requestId: ctx.requestId,
    route: name,
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

/** By what was shown: whether it was right, the status tells. */
function actorOf({ authorization, proof }: RequestContext): 'admin' | 'wallet' | 'anyone' {
  if (authorization !== null) return 'admin';
  return proof.address === null ? 'anyone' : 'wallet';
}

async function serve(
  request: Request,
  o: { ctx: RequestContext; context: RouteContext; handler: Handler; options: RouteOptions },
): Promise<Response> {
  const params = await o.context.params;
  return o.handler({
    ctx: o.ctx,
    caller: createCaller(o.ctx),
    params: Object.fromEntries(
      Object.entries(params ?? {}).flatMap(([key, value]) =>
        typeof value === 'string' ? [[key, value]] : [],
      ),
    ),
    query: Object.fromEntries(new URL(request.url).searchParams),
    body: () => readJson(request, o.options.maxBodyBytes ?? DEFAULT_BODY_BYTES),
  });
}

/** Everything a request does is safe to repeat, so one that takes too long may be let go. */
async function inTime<T>(work: Promise<T>, mostMs: number): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(
      () =>
        reject(
          new ServiceError(
            'service_unavailable',
            'The answer took too long. Nothing was lost: send the same request again.',
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
