import type { Metadata } from 'next';
import { connection } from 'next/server';
import type { ReactNode } from 'react';
import { TestChainBanner } from '@/components/test-chain-banner';
import { env } from '@/server/env';
import './global.css';

export const metadata: Metadata = {
  title: { default: 'Quittance', template: '%s · Quittance' },
  description: 'Receipts for payments on Solana that anyone can check.',
};

export default async function RootLayout({ children }: { children: ReactNode }) {
  // Settings belong to the running process, not to the build.
  await connection();
  return (
    <html lang="en">
      <body>
        {env().network === 'local' ? <TestChainBanner /> : null}
        {children}
      </body>
    </html>
  );
}
