'use client';

import { useTranslations } from 'next-intl';
import { useSite } from '@/components/site-context';
import { Button } from '@/components/ui/button';

/** What a reader sees when a page could not be made. Nothing on it moved any money. */
export default function PageError({
  error,
  reset,
}: {
  error: Error & { digest?: string };
  reset: () => void;
}) {
  const { operator } = useSite();
  const t = useTranslations('errors');
  const ui = useTranslations('ui');
  return (
    <main className="stack">
      <h1>{t('pageTitle')}</h1>
      <p className="lead">{t('pageText')}</p>
      <div className="row">
        <Button variant="primary" onClick={reset}>
          {ui('again')}
        </Button>
      </div>
      {error.digest ? (
        <p className="muted small">
          {t.rich('pageNumber', {
            name: operator.name,
            contact: operator.contact,
            number: error.digest,
            bdi: (text) => <bdi>{text}</bdi>,
            link: (text) => <a href={operator.contactUri}>{text}</a>,
            code: (text) => <code>{text}</code>,
          })}
        </p>
      ) : null}
    </main>
  );
}
