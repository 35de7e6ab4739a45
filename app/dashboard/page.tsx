import type { Metadata } from 'next';
import { useTranslations } from 'next-intl';
import { getTranslations } from 'next-intl/server';
import { Dashboard } from '@/components/dashboard/dashboard';
import styles from '@/components/dashboard/dashboard.module.css';
import { NeedsScript } from '@/components/needs-script';
import { Texts } from '@/i18n/texts';

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations('dashboard');
  return {
    title: t('title'),
    description: t('description'),
    robots: { index: false, follow: false },
  };
}

export default function DashboardPage() {
  const t = useTranslations('dashboard');
  return (
    <main className={`wide stack-wide ${styles['page'] ?? ''}`}>
      <h1>{t('title')}</h1>
      <NeedsScript />
      <Texts of={['dashboard', 'labels']}>
        <Dashboard />
      </Texts>
    </main>
  );
}
