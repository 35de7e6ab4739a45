'use client';

import { createContext, useContext, type ReactNode } from 'react';
import { api } from './api';
import { SiteProvider, type Site } from './site-context';
import { AnnouncerProvider } from './ui/announcer';
import { KeepFocus } from './ui/keep-focus';
import { ToastProvider } from './ui/toast';
import { WalletHost } from './wallet/wallet-host';

/** `withTRPC` is typed for pages without children, so the layout passes its children around it. */
const Children = createContext<ReactNode>(null);
const WithApi = api.withTRPC(() => useContext(Children));

/**
 * Everything that the parts of a page need: the service's procedures, its name and network, toasts,
 * the wallet, and the announcer.
 */
export function Providers({ site, children }: { site: Site; children: ReactNode }) {
  return (
    <SiteProvider site={site}>
      <Children
        value={
          <AnnouncerProvider>
            <ToastProvider>
              <WalletHost>{children}</WalletHost>
            </ToastProvider>
            <KeepFocus />
          </AnnouncerProvider>
        }
      >
        <WithApi />
      </Children>
    </SiteProvider>
  );
}
