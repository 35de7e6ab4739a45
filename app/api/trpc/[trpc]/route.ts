import { fetchRequestHandler } from '@trpc/server/adapters/fetch';
import { appRouter } from '@/server/api/app-router';
import { requestContext } from '@/server/api/request-context';

const handler = (request: Request): Promise<Response> =>
  fetchRequestHandler({
    endpoint: '/api/trpc',
    req: request,
    router: appRouter,
    createContext: () => requestContext(request.headers),
    maxBatchSize: 10,
  });

export { handler as GET, handler as POST };
