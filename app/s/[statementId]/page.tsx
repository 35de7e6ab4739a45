import type { Metadata } from 'next';
import { notFound } from 'next/navigation';
import { plural } from '@/components/ui/plural';
import { StatementView } from '@/components/statement/statement-view';
import { loadStatementPage } from '@/server/api/page-caller';
import { withPreview } from '../../with-preview';

type Props = { params: Promise<{ statementId: string }> };

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  const { statementId } = await params;
  const statement = await loadStatementPage(statementId);
  const robots = { index: false, follow: false };
  if (!statement) return { title: 'No such statement', robots };
  const { total_usd: total, tx_count: count } = statement.summary;
  const page = {
    title: `Statement ${statement.statement_id}`,
    description: `Statement of ${plural(count, 'payment')} on Solana, ${total} USD in all. Anyone can check it.`,
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
      <StatementView statement={{ ...statement, csv_url: '' }} />
    </main>
  );
}
