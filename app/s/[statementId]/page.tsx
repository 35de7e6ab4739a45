import type { Metadata } from 'next';
import { notFound } from 'next/navigation';
import { getTranslations } from 'next-intl/server';
import { StatementView } from '@/components/statement/statement-view';
import { Texts } from '@/i18n/texts';
import { loadStatementPage } from '@/server/api/page-caller';
import { withPreview } from '../../with-preview';

type Props = { params: Promise<{ statementId: string }> };

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  const { statementId } = await params;
  const statement = await loadStatementPage(statementId);
  const robots = { index: false, follow: false };
  const t = await getTranslations('statement');
  if (!statement) return { title: t('missing.short'), robots };
  const { total_usd: total, tx_count: count } = statement.summary;
  const page = {
    title: t('meta.title', { id: statement.statement_id }),
    description: t('meta.description', { count, total: String(total) }),
  };
  return { ...withPreview(`/s/${statement.statement_id}`, page), robots };
}

export default async function StatementPage({ params }: Props) {
  const { statementId } = await params;
  const statement = await loadStatementPage(statementId);
  if (!statement) notFound();
  return (
    <main className="wide">
      {/* The table has the rows already; the same as a data URI would double the page. */}
      <Texts of={['statement', 'proof', 'progress', 'reasons']}>
        <StatementView statement={{ ...statement, csv_url: '' }} />
      </Texts>
    </main>
  );
}
