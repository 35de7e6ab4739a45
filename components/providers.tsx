'use client';

import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { api } from './api';
import { apiLinks, failureOf } from './api-client';
import { SiteProvider, type Site } from './site-context';
import { ToastProvider } from './ui/toast';

/** Everything a page's parts may ask for: the service's procedures, its name and network, toasts. */
export function Providers({ site, children }: { site: Site; children: ReactNode }) {
  const [queries] = useState(makeQueryClient);
  const [client] = useState(() => api.createClient({ links: apiLinks() }));
  return (
    <SiteProvider site={site}>
      <api.Provider client={client} queryClient={queries}>
        <QueryClientProvider client={queries}>
          <ToastProvider>{children}</ToastProvider>
        </QueryClientProvider>
      </api.Provider>
    </SiteProvider>
  );
}

function makeQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: {
        staleTime: 10_000,
        // A refusal stays one; only silence and overload are worth asking again.
        retry: (failures, error) => {
          const { status } = failureOf(error);
          return failures < 2 && (status === 0 || status === 503);
        },
      },
    },
  });
}
