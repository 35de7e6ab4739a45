import type { Metadata } from 'next';
import { notFound } from 'next/navigation';
import { StatementView } from '@/components/statement/statement-view';
import { loadStatementPage } from '@/server/api/page-caller';

type Props = { params: Promise<{ statementId: string }> };

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  const { statementId } = await params;
  return { title: `Statement ${statementId}`, robots: { index: false, follow: false } };
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
