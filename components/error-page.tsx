'use client';

import { useTranslations } from 'next-intl';

/** Codes of failures without an answer of the service, which have no entry on /docs. */
const WITHOUT_ENTRY: ReadonlySet<string> = new Set(['unreachable']);

/**
 * A link to the entry of an error on /docs. It opens in a new tab, because this one may have a
 * pending payment.
 */
export function ErrorPage({ code }: { code: string }) {
  const t = useTranslations('errors');
  if (WITHOUT_ENTRY.has(code)) return null;
  return (
    <a href={`/docs#error-${code}`} target="_blank" rel="noreferrer" hrefLang="en">
      {t('about')}
    </a>
  );
}
