import type { Metadata } from 'next';
import { getLocale, getTranslations } from 'next-intl/server';
import { decimalOf } from '@/components/ui/amount';
import { moneyText } from '@/components/ui/money';
import { NeedsScript } from '@/components/needs-script';
import { PrintedFoot } from '@/components/proof/printed-foot';
import { StatementView } from '@/components/statement/statement-view';
import { Texts } from '@/i18n/texts';
import { loadLastError, loadStatementPage } from '@/server/api/page-caller';
import { answerMissing } from '@/server/api/page-status';
import { env } from '@/server/env';
import { withPreview } from '../../with-preview';
import { MissingStatement } from './missing';

type Props = { params: Promise<{ statementId: string }> };

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  const { statementId } = await params;
  const statement = await loadStatementPage(statementId);
  const robots = { index: false, follow: false };
  const t = await getTranslations('statement');
  if (!statement) return { title: t('missing.short'), robots };
  const { total_usd_raw: micros, tx_count: count } = statement.summary;
  const total = moneyText(decimalOf(micros, 6), 'USD', await getLocale());
  const page = {
    title: t('meta.title', { id: statement.statement_id }),
    description: t('meta.description', { count, total }),
  };
  return { ...withPreview(`/s/${statement.statement_id}`, page), robots };
}

export default async function StatementPage({ params }: Props) {
  const { statementId } = await params;
  const statement = await loadStatementPage(statementId);
  if (!statement) {
    answerMissing();
    return <MissingStatement />;
  }
  const lastError = statement.mint_status === 'failed' ? await loadLastError(statementId) : null;
  return (
    <main className="wide">
      <NeedsScript />
      {/* The table already has the rows. The same as a data URI would double the page. */}
      <Texts of={['statement', 'proof', 'progress', 'reasons']}>
        <StatementView statement={{ ...statement, csv_url: '' }} lastError={lastError} />
      </Texts>
      <PrintedFoot address={`${env().publicUrl}/s/${statement.statement_id}`} />
    </main>
  );
}
