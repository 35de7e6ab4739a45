import type { Metadata } from 'next';
import { StatementForm } from '@/components/statement/statement-form';
import { pageToday } from '@/server/api/page-caller';

export const metadata: Metadata = {
  title: 'Statements',
  description: 'All payments of a wallet in a period, as one proven document and a CSV.',
};

export default function StatementsPage() {
  return (
    <main className="stack-wide">
      <div className="stack">
        <h1>Statements</h1>
        <p className="lead">
          All payments of a wallet in a period, in one document with a proof on chain and a CSV for
          your books.
        </p>
      </div>
      <StatementForm today={pageToday()} />
    </main>
  );
}
