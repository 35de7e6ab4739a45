import type { Metadata } from 'next';
import { cookies, headers } from 'next/headers';
import { connection } from 'next/server';
import { NextIntlClientProvider } from 'next-intl';
import { getLocale, getTranslations } from 'next-intl/server';
import type { ReactNode } from 'react';
import { LostCode } from '@/components/lost-code';
import { Providers } from '@/components/providers';
import { SiteFooter } from '@/components/site-footer';
import { SiteHeader } from '@/components/site-header';
import { TestChainBanner } from '@/components/test-chain-banner';
import { Banner } from '@/components/ui/banner';
import { WATCH_CODE } from '@/components/watch-code';
import { languageOf } from '@/i18n/locales';
import { Texts } from '@/i18n/texts';
import { THEME_COOKIE, readTheme } from '@/components/theme';
import { env } from '@/server/env';
import './global.css';

export async function generateMetadata(): Promise<Metadata> {
  return {
    title: { default: 'Quittance', template: '%s · Quittance' },
    description: (await getTranslations('home'))('description'),
    manifest: '/site.webmanifest',
    icons: {
      icon: [
        { url: '/icon.svg', type: 'image/svg+xml' },
        { url: '/icon-32.png', type: 'image/png', sizes: '32x32' },
      ],
      apple: [{ url: '/apple-touch-icon.png', sizes: '180x180' }],
    },
  };
}

/** Texts that the frame, the wallet dialog and the shared parts use on every page. */
const EVERYWHERE = ['frame', 'ui', 'wallet', 'errors'] as const;

export default async function RootLayout({ children }: { children: ReactNode }) {
  // Settings belong to the running process, not to the build.
  await connection();
  const { network, serviceName, publicUrl, operator } = env();
  const theme = readTheme((await cookies()).get(THEME_COOKIE)?.value);
  const nonce = (await headers()).get('x-nonce') ?? undefined;
  const locale = await getLocale();
  const t = await getTranslations('frame');
  const crash = await getTranslations('crash');
  return (
    <html lang={languageOf(locale)} dir="ltr" data-theme={theme === 'system' ? undefined : theme}>
      <head>
        {/* Browsers hide the nonce from scripts, so React finds a value that differs from the server's. */}
        <script
          nonce={nonce}
          suppressHydrationWarning
          dangerouslySetInnerHTML={{ __html: WATCH_CODE }}
        />
      </head>
      <body>
        <LostCode>
          {/* A link to this page, which loads it again without any code. */}
          <Banner
            kind="warning"
            title={t('lost.title')}
            actions={<a href="">{crash('reload')}</a>}
            quiet
          >
            {t('lost.text')}
          </Banner>
        </LostCode>
        <NextIntlClientProvider messages={{}}>
          <Texts of={EVERYWHERE}>
            <Providers site={{ network, serviceName, publicUrl, operator }}>
              <SiteHeader />
              {network === 'local' ? <TestChainBanner /> : null}
              <div id="content" className="content" tabIndex={-1}>
                {children}
              </div>
              <SiteFooter theme={theme} operator={operator} />
            </Providers>
          </Texts>
        </NextIntlClientProvider>
      </body>
    </html>
  );
}
