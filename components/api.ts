import { createTRPCNext } from '@trpc/next';
import superjson from 'superjson';
import type { AppRouter } from '@/server/api/app-router';
import { apiLinks, failureOf } from './api-client';

/**
 * Hooks over the service's procedures: `api.receipts.find.useQuery({receipt_id})`. `api.withTRPC`
 * gives a page the client and the cache that the hooks need.
 */
export const api = createTRPCNext<AppRouter>({
  transformer: superjson,
  config: () => ({
    links: apiLinks(),
    queryClientConfig: {
      defaultOptions: {
        queries: {
          // Without a network a call fails with a reason. It does not wait without a word.
          networkMode: 'always',
          refetchOnReconnect: true,
          staleTime: 10_000,
          // A refusal is final. Only an unreachable or overloaded service is worth a retry.
          retry: (failures, error) => {
            const { status } = failureOf(error);
            return failures < 2 && (status === 0 || status === 503);
          },
        },
        mutations: { networkMode: 'always' },
      },
    },
  }),
});
