import { getTranslations } from 'next-intl/server';
import { ButtonLink } from '@/components/ui/button';

export async function generateMetadata() {
  return { title: (await getTranslations('errors'))('notFoundTitle') };
}

export default async function NotFound() {
  const t = await getTranslations('errors');
  return (
    <main className="stack">
      <h1>{t('notFoundTitle')}</h1>
      <p className="lead">{t('notFoundText')}</p>
      <div className="row">
        <ButtonLink href="/">{t('createReceipt')}</ButtonLink>
        <ButtonLink href="/docs" variant="quiet">
          {t('readDocs')}
        </ButtonLink>
      </div>
    </main>
  );
}
