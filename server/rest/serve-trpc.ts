import { TRPCError } from '@trpc/server';
import { fetchRequestHandler } from '@trpc/server/adapters/fetch';
import { appRouter } from '@/server/api/app-router';
import { requestContext } from '@/server/api/request-context';
import { toServiceError } from '@/server/api/trpc';
import { DEFAULT_BODY_BYTES, limitBody, requireJsonType } from './read-json';
import { privateAnswer } from './respond';
import { writeRequestEvent } from './write-event';

/** Calls in one request. */
const LARGEST_BATCH = 10;

const serve = limitBody(DEFAULT_BODY_BYTES, (request) =>
  fetchRequestHandler({
    endpoint: '/api/trpc',
    req: request,
    router: appRouter,
    createContext: ({ resHeaders }) => {
      requireJson(request);
      return requestContext(request.headers, {
        method: request.method,
        setCookie: (value) => resHeaders.append('set-cookie', value),
      });
    },
    maxBatchSize: LARGEST_BATCH,
    onError: ({ error, path, ctx }) => {
      const failure = toServiceError(error);
      writeRequestEvent({
        requestId: ctx?.requestId ?? null,
        route: `trpc ${path ?? ''}`,
        method: request.method,
        status: failure.status,
        durationMs: null,
        failure,
      });
    },
  }),
);

/** The procedures as pages call them. A cookie counts here, so every answer is private, batches included. */
export async function serveTrpc(request: Request): Promise<Response> {
  return privateAnswer(await serve(request));
}

/** The library also accepts forms and files, which a foreign page may send without a CORS preflight. */
function requireJson(request: Request): void {
  if (request.method !== 'POST') return;
  try {
    requireJsonType(request);
  } catch (cause) {
    throw new TRPCError({ code: 'UNSUPPORTED_MEDIA_TYPE', cause });
  }
}
