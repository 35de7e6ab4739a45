import { useTranslations } from 'next-intl';
import { ButtonLink } from '@/components/ui/button';

export default function StatementNotFound() {
  const t = useTranslations('statement');
  return (
    <main className="stack">
      <h1>{t('missing.title')}</h1>
      <p className="lead">{t('missing.text')}</p>
      <div className="row">
        <ButtonLink href="/statements">{t('missing.make')}</ButtonLink>
      </div>
    </main>
  );
}
