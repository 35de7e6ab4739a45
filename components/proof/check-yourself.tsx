'use client';

import { CodeBlock } from '../docs/code-block';
import { useSite } from '../site-context';
import { checkCommand, type Proven } from './check-command';

/** How to come to the verdict without this page. */
export function CheckYourself({ of }: { of: Proven }) {
  const site = useSite();
  return (
    <section className="stack" aria-labelledby="check-yourself">
      <h2 id="check-yourself">Check it without us</h2>
      <p className="muted">
        The verifier is one file for Node.js 20 or later. It asks a Solana node of your choice, and
        ends with the same verdict.
        {site.network === 'local' ? ' Set SOLANA_RPC_URL to the node of the test chain.' : ''}
      </p>
      <CodeBlock label={`Commands that check the ${of.kind}`} code={checkCommand(site, of)} />
    </section>
  );
}
