'use client';

import { createContext, useContext, type ReactNode } from 'react';
import { api } from './api';
import { SiteProvider, type Site } from './site-context';
import { ToastProvider } from './ui/toast';

/** `withTRPC` is made for pages without children, so those of the layout pass around it. */
const Children = createContext<ReactNode>(null);
const WithApi = api.withTRPC(() => useContext(Children));

/** Everything a page's parts may ask for: the service's procedures, its name and network, toasts. */
export function Providers({ site, children }: { site: Site; children: ReactNode }) {
  return (
    <SiteProvider site={site}>
      <Children value={<ToastProvider>{children}</ToastProvider>}>
        <WithApi />
      </Children>
    </SiteProvider>
  );
}
