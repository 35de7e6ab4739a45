'use client';

import { createContext, useContext, type ReactNode } from 'react';

/** Facts that pages know about their service. The addresses of its upstreams are not included. */
export type Site = {
  network: 'local' | 'devnet' | 'mainnet';
  /** Part of the text that a wallet signs: `<service name>:<transaction signature>`. */
  serviceName: string;
  publicUrl: string;
  /** The operator. `contactUri` is the contact as a link. */
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
