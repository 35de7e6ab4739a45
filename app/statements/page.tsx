import type { Metadata } from 'next';
import { useTranslations } from 'next-intl';
import { getTranslations } from 'next-intl/server';
import { NeedsScript } from '@/components/needs-script';
import { StatementForm } from '@/components/statement/statement-form';
import { Texts } from '@/i18n/texts';
import { pageToday } from '@/server/api/page-caller';

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations('statement');
  return { title: t('page.title'), description: t('page.description') };
}

export default function StatementsPage() {
  const t = useTranslations('statement');
  return (
    <main className="stack-wide">
      <div className="stack">
        <h1>{t('page.title')}</h1>
        <p className="lead">{t('page.lead')}</p>
      </div>
      <NeedsScript />
      <Texts of={['statement', 'order']}>
        <StatementForm today={pageToday()} />
      </Texts>
    </main>
  );
}
