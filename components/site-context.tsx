'use client';

import { createContext, useContext, type ReactNode } from 'react';

/** What pages know about the service they belong to. Addresses of its upstreams are not among it. */
export type Site = {
  network: 'local' | 'devnet' | 'mainnet';
  /** Goes into the text that a wallet signs: `<service name>:<transaction signature>`. */
  serviceName: string;
  publicUrl: string;
  /** Who operates it; `contactUri` is the contact as a link. */
  operator: { name: string; contact: string; contactUri: string };
};

const SiteContext = createContext<Site | null>(null);

export function SiteProvider({ site, children }: { site: Site; children: ReactNode }) {
  return <SiteContext value={site}>{children}</SiteContext>;
}

/** The service this page belongs to. */
export function useSite(): Site {
  const site = useContext(SiteContext);
  if (!site) throw new Error('useSite needs the SiteProvider of the root layout around it.');
  return site;
}
