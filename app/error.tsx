'use client';

import { useTranslations } from 'next-intl';
import { MessagePage } from '@/components/message-page';
import { useSite } from '@/components/site-context';
import { Button } from '@/components/ui/button';

/** The page that a reader sees when a page could not be made. Nothing on it moved any money. */
export default function PageError({
  error,
  retry,
}: {
  error: Error & { digest?: string };
  /** Asks the server again. Next.js's `reset` would only show the failed answer once more. */
  retry: () => void;
}) {
  const { operator } = useSite();
  const t = useTranslations('errors');
  const ui = useTranslations('ui');
  return (
    <>
      {/* The metadata of the page failed with it. */}
      <title>{`${t('pageTitle')} · Quittance`}</title>
      <MessagePage
        title={t('pageTitle')}
        lead={t('pageText')}
        actions={
          <Button variant="primary" onClick={retry}>
            {ui('again')}
          </Button>
        }
        note={
          error.digest &&
          t.rich('pageNumber', {
            name: operator.name,
            contact: operator.contact,
            number: error.digest,
            bdi: (text) => <bdi>{text}</bdi>,
            link: (text) => <a href={operator.contactUri}>{text}</a>,
            code: (text) => <code>{text}</code>,
          })
        }
      />
    </>
  );
}
