'use client';

import { useSite } from '@/components/site-context';
import { Button } from '@/components/ui/button';

/** What a reader sees when a page could not be made. Nothing on it moved any money. */
export default function PageError({
  error,
  reset,
}: {
  error: Error & { digest?: string };
  reset: () => void;
}) {
  const { operator } = useSite();
  return (
    <main className="stack">
      <h1>This page could not be shown</h1>
      <p className="lead">
        Something on our side failed while it was being made. No money moved because of this, and
        nothing you did before is lost.
      </p>
      <div className="row">
        <Button variant="primary" onClick={reset}>
          Try again
        </Button>
      </div>
      {error.digest ? (
        <p className="muted small">
          If it keeps failing, send this number to the operator, {operator.name} (
          <a href={operator.contactUri}>{operator.contact}</a>): <code>{error.digest}</code>
        </p>
      ) : null}
    </main>
  );
}
