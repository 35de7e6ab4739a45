'use client';

import { NextIntlClientProvider, useTranslations } from 'next-intl';
import { useEffect, useRef } from 'react';
import { THEME_COOKIE, readTheme } from '@/components/theme';
import { Button, ButtonLink } from '@/components/ui/button';
import { useBrowserValue } from '@/components/ui/use-browser-value';
import { languageOf, LANGUAGE_COOKIE, type Language } from '@/i18n/locales';
import de from '@/messages/de/crash.json';
import en from '@/messages/en/crash.json';
import es from '@/messages/es/crash.json';
import ja from '@/messages/ja/crash.json';
import './global.css';

/** Every page loads these texts, so that they are available when nothing else is. */
const TEXTS = { en, de, es, ja } as const satisfies Record<Language, object>;

/**
 * The page that a reader sees when the frame of all pages failed, for example because its code did
 * not load. It replaces the root layout, so it sets language, colours and texts without it.
 */
export default function FrameError({ error }: { error: Error & { digest?: string } }) {
  const language = useBrowserValue(readLanguage, 'en');
  const theme = useBrowserValue(themeOfReader, 'system');
  return (
    <html lang={language} dir="ltr" data-theme={theme === 'system' ? undefined : theme}>
      <body>
        <NextIntlClientProvider locale={language} messages={{ crash: TEXTS[language] }}>
          <Message number={error.digest} />
        </NextIntlClientProvider>
      </body>
    </html>
  );
}

function Message({ number }: { number: string | undefined }) {
  const t = useTranslations('crash');
  const heading = useRef<HTMLHeadingElement>(null);
  // The focused page is gone, and nothing announces this one.
  useEffect(() => heading.current?.focus(), []);
  return (
    <main className="stack">
      <title>{`${t('title')} · Quittance`}</title>
      <h1 ref={heading} tabIndex={-1}>
        {t('title')}
      </h1>
      <p className="lead">{t('text')}</p>
      <p>{t('kept')}</p>
      <div className="row">
        <Button variant="primary" onClick={() => window.location.reload()}>
          {t('reload')}
        </Button>
        <ButtonLink href="/" variant="quiet" target="_self">
          {t('home')}
        </ButtonLink>
      </div>
      {number === undefined ? null : (
        <p className="muted small">
          {t('number')} <code>{number}</code>
        </p>
      )}
    </main>
  );
}

/** The language of the failed page, or else the chosen one, or that of the browser. */
function readLanguage(): Language {
  const { lang } = document.documentElement;
  return languageOf(lang || (readCookie(LANGUAGE_COOKIE) ?? navigator.language));
}

function themeOfReader() {
  return readTheme(readCookie(THEME_COOKIE));
}

function readCookie(name: string): string | undefined {
  return document.cookie
    .split('; ')
    .find((one) => one.startsWith(`${name}=`))
    ?.slice(name.length + 1);
}
