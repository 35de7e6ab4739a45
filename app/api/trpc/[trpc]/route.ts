import { fetchRequestHandler } from '@trpc/server/adapters/fetch';
import { appRouter } from '@/server/api/app-router';
import { requestContext } from '@/server/api/request-context';
import { toServiceError } from '@/server/api/trpc';
import { limitBody } from '@/server/rest/limit-body';
import { DEFAULT_BODY_BYTES } from '@/server/rest/read-json';
import { writeRequestEvent } from '@/server/rest/write-event';

const handler = limitBody(DEFAULT_BODY_BYTES, (request) =>
  fetchRequestHandler({
    endpoint: '/api/trpc',
    req: request,
    router: appRouter,
    createContext: ({ resHeaders }) =>
      requestContext(request.headers, {
        method: request.method,
        setCookie: (value) => resHeaders.append('set-cookie', value),
      }),
    maxBatchSize: 10,
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

export { handler as GET, handler as POST };
