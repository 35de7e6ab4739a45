import type { Metadata } from 'next';
import { notFound } from 'next/navigation';
import { getLocale, getTranslations } from 'next-intl/server';
import { amountOf } from '@/components/ui/amount';
import { StatementView } from '@/components/statement/statement-view';
import { Texts } from '@/i18n/texts';
import { loadLastError, loadStatementPage } from '@/server/api/page-caller';
import { withPreview } from '../../with-preview';

type Props = { params: Promise<{ statementId: string }> };

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  const { statementId } = await params;
  const statement = await loadStatementPage(statementId);
  const robots = { index: false, follow: false };
  const t = await getTranslations('statement');
  if (!statement) return { title: t('missing.short'), robots };
  const { total_usd_raw: micros, tx_count: count } = statement.summary;
  const total = amountOf(micros, 6, await getLocale());
  const page = {
    title: t('meta.title', { id: statement.statement_id }),
    description: t('meta.description', { count, total }),
  };
  return { ...withPreview(`/s/${statement.statement_id}`, page), robots };
}

export default async function StatementPage({ params }: Props) {
  const { statementId } = await params;
  const statement = await loadStatementPage(statementId);
  if (!statement) notFound();
  const lastError = statement.mint_status === 'failed' ? await loadLastError(statementId) : null;
  return (
    <main className="wide">
      {/* The table has the rows already; the same as a data URI would double the page. */}
      <Texts of={['statement', 'proof', 'progress', 'reasons']}>
        <StatementView statement={{ ...statement, csv_url: '' }} lastError={lastError} />
      </Texts>
    </main>
  );
}
