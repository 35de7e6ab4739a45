import { api } from './api';

/**
 * The countries of the service with their currencies. Asked alone, because a batch is as slow as the
 * slowest of its calls.
 */
export function useCountries() {
  return api.web.countries.useQuery(undefined, {
    staleTime: Infinity,
    trpc: { context: { alone: true } },
  });
}
