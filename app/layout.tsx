import type { Metadata } from 'next';
import { cookies } from 'next/headers';
import { connection } from 'next/server';
import type { ReactNode } from 'react';
import { Providers } from '@/components/providers';
import { SiteFooter } from '@/components/site-footer';
import { SiteHeader } from '@/components/site-header';
import { TestChainBanner } from '@/components/test-chain-banner';
import { THEME_COOKIE, readTheme } from '@/components/theme';
import { env } from '@/server/env';
import './global.css';

export const metadata: Metadata = {
  title: { default: 'Quittance', template: '%s · Quittance' },
  description: 'Receipts for payments on Solana that anyone can check.',
  manifest: '/site.webmanifest',
  icons: {
    icon: [
      { url: '/icon.svg', type: 'image/svg+xml' },
      { url: '/icon-32.png', type: 'image/png', sizes: '32x32' },
    ],
    apple: [{ url: '/apple-touch-icon.png', sizes: '180x180' }],
  },
};

export default async function RootLayout({ children }: { children: ReactNode }) {
  // Settings belong to the running process, not to the build.
  await connection();
  const { network, serviceName, publicUrl, operator } = env();
  const theme = readTheme((await cookies()).get(THEME_COOKIE)?.value);
  return (
    <html lang="en" data-theme={theme === 'system' ? undefined : theme}>
      <body>
        <Providers site={{ network, serviceName, publicUrl, operator }}>
          <SiteHeader />
          {network === 'local' ? <TestChainBanner /> : null}
          <div id="content" className="content" tabIndex={-1}>
            {children}
          </div>
          <SiteFooter theme={theme} />
        </Providers>
      </body>
    </html>
  );
}
