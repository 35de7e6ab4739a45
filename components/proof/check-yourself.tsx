'use client';

import { useTranslations } from 'next-intl';
import { CodeBlock } from '../docs/code-block';
import { useSite } from '../site-context';
import { checkCommand, type Proven } from './check-command';

/** How to get the verdict without this page. */
export function CheckYourself({ of }: { of: Proven }) {
  const t = useTranslations('proof');
  const site = useSite();
  return (
    <section className="stack" aria-labelledby="check-yourself">
      <h2 id="check-yourself">{t('check.title')}</h2>
      <p className="muted">
        {t('check.text')}
        {site.network === 'local' ? ` ${t('check.local')}` : ''}
      </p>
      <CodeBlock label={t('check.label', { kind: of.kind })} code={checkCommand(site, of)} />
    </section>
  );
}
