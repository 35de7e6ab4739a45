import type { ReactNode } from 'react';

/** A page of a few words: what is wrong, what it means, and the next steps. */
export function MessagePage(o: {
  title: string;
  lead: string;
  /** One or two buttons or links. */
  actions: ReactNode;
  note?: ReactNode;
}) {
  return (
    <main className="stack">
      <h1>{o.title}</h1>
      <p className="lead">{o.lead}</p>
      <div className="row">{o.actions}</div>
      {o.note ? <p className="muted small">{o.note}</p> : null}
    </main>
  );
}
