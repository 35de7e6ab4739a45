import { ButtonLink } from '@/components/ui/button';

export default function StatementNotFound() {
  return (
    <main className="stack">
      <h1>There is no such statement</h1>
      <p className="lead">
        No statement has this number. It begins with STMT and has 8 more digits and capital letters.
      </p>
      <div className="row">
        <ButtonLink href="/statements">Make a statement</ButtonLink>
      </div>
    </main>
  );
}
