import { getTranslations } from 'next-intl/server';
import { MessagePage } from '@/components/message-page';
import { ButtonLink } from '@/components/ui/button';

export async function generateMetadata() {
  return { title: (await getTranslations('errors'))('notFoundTitle') };
}

export default async function NotFound() {
  const t = await getTranslations('errors');
  return (
    <MessagePage
      title={t('notFoundTitle')}
      lead={t('notFoundText')}
      actions={
        <>
          <ButtonLink href="/">{t('createReceipt')}</ButtonLink>
          <ButtonLink href="/docs" variant="quiet">
            {t('readDocs')}
          </ButtonLink>
        </>
      }
    />
  );
}
