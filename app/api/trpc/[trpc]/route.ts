import { fetchRequestHandler } from '@trpc/server/adapters/fetch';
import { appRouter } from '@/server/api/app-router';
import { requestContext } from '@/server/api/request-context';
import { toServiceError } from '@/server/api/trpc';
import { log } from '@/server/log';
import { limitBody } from '@/server/rest/limit-body';
import { DEFAULT_BODY_BYTES } from '@/server/rest/read-json';

const handler = limitBody(DEFAULT_BODY_BYTES, (request) =>
  fetchRequestHandler({
    endpoint: '/api/trpc',
    req: request,
    router: appRouter,
    createContext: () => requestContext(request.headers),
    maxBatchSize: 10,
    onError: ({ error, path, ctx }) => {
      const { status, code, cause } = toServiceError(error);
      if (status >= 500)
        log().error({
          event: 'request',
          request_id: ctx?.requestId ?? null,
          route: `trpc ${path ?? ''}`,
          status,
          code,
          err: cause,
        });
    },
  }),
);

export { handler as GET, handler as POST };
