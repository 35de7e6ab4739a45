import { useTranslations } from 'next-intl';
import { ButtonLink } from '@/components/ui/button';

export default function ReceiptNotFound() {
  const t = useTranslations('receipt');
  return (
    <main className="stack">
      <h1>{t('missing.title')}</h1>
      <p className="lead">{t('missing.text')}</p>
      <div className="row">
        <ButtonLink href="/">{t('missing.create')}</ButtonLink>
      </div>
    </main>
  );
}
