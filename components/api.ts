import { createTRPCNext } from '@trpc/next';
import superjson from 'superjson';
import type { AppRouter } from '@/server/api/app-router';
import { apiLinks, failureOf } from './api-client';

/**
 * Hooks over the service's procedures: `api.receipts.find.useQuery({receipt_id})`. `api.withTRPC` gives a page the
 * client and the cache they need.
 */
export const api = createTRPCNext<AppRouter>({
  transformer: superjson,
  config: () => ({
    links: apiLinks(),
    queryClientConfig: {
      defaultOptions: {
        queries: {
          staleTime: 10_000,
          // A refusal stays one. Only an unreachable or overloaded service is worth a retry.
          retry: (failures, error) => {
            const { status } = failureOf(error);
            return failures < 2 && (status === 0 || status === 503);
          },
        },
      },
    },
  }),
});
