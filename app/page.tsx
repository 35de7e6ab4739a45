import { CreatePage } from '@/components/create/create-page';
import type { Metadata } from 'next';
import { pageCaller } from '@/server/api/page-caller';
import { withPreview } from './with-preview';

export function generateMetadata(): Metadata {
  return {
    ...withPreview('/', {
      title: 'Quittance',
      description: 'Receipts for payments on Solana that anyone can check.',
    }),
    title: { absolute: 'Quittance' },
  };
}

/** Names of the priced operations, for people. */
const TITLES: Readonly<Record<string, string>> = { '/mint': 'Receipt', '/statement': 'Statement' };

export default async function HomePage({
  searchParams,
}: {
  searchParams: Promise<Record<string, string | string[] | undefined>>;
}) {
  const { tx, for: serviceType } = await searchParams;
  const caller = await pageCaller();
  const [countries, { routes }] = await Promise.all([
    caller.web.countries(),
    caller.payments.pricing(),
  ]);
  // Named here, because the lists of names that servers and browsers know differ.
  const names = new Intl.DisplayNames('en', { type: 'region' });
  return (
    <main className="stack-wide">
      <div className="stack">
        <h1 className="display">Receipts for payments on Solana</h1>
        <p className="lead">
          Turn a payment into a receipt that anyone can check and nobody can change.
        </p>
      </div>
      <CreatePage
        countries={countries.map(({ code, currency }) => ({
          value: code,
          label: `${code === 'EU' ? 'Euro area' : (names.of(code) ?? code)} (${currency})`,
        }))}
        prices={routes.map(({ path, rule }) => ({ title: TITLES[path] ?? path, rule: `${rule}.` }))}
        initialTx={typeof tx === 'string' ? tx : ''}
        initialFor={typeof serviceType === 'string' ? serviceType.slice(0, 64) : ''}
      />
    </main>
  );
}
