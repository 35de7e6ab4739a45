import { useLocale, useTranslations } from 'next-intl';
import type { BalanceChangeBody, StatementBody } from '@/server/use-cases/statements/schemas';
import { leftOutWords, skippedWords } from '../reason-words';
import { amountOf, groupDigits } from '../ui/amount';
import { classNames } from '../ui/class-names';
import { Table } from '../ui/table';
import styles from './statement.module.css';

/**
 * Changes of the wallet's balances that are not rows: transactions without a row, by reason, and
 * fees, rent and similar movements. Empty if there are none.
 */
export function StatementRest({ statement }: { statement: StatementBody }) {
  const t = useTranslations('statement');
  const locale = useLocale();
  const reasons = useTranslations('reasons');
  const skipped = Object.entries(statement.skipped);
  const leftOut = Object.entries(statement.left_out ?? {});
  if (skipped.length === 0 && leftOut.length === 0) return null;
  return (
    <section className={classNames('stack', styles['rest'])} aria-labelledby="rest-title">
      <h2 id="rest-title">{t('rest.title')}</h2>
      <p className="muted small">
        {t.rich(statement.skipped['transaction_failed'] ? 'rest.textFailed' : 'rest.text', {
          json: (text) => <a href={`/statement/${statement.statement_id}`}>{text}</a>,
        })}
      </p>
      {skipped.length === 0 ? null : (
        <Table
          caption={t('rest.skipped')}
          showCaption
          columns={[
            {
              key: 'reason',
              head: t('rest.reason'),
              rowHead: true,
              wraps: true,
              cell: ([reason]) => skippedWords(reasons, reason),
            },
            {
              key: 'count',
              head: t('rest.count'),
              numeric: true,
              cell: ([, { count }]) => groupDigits(String(count), locale),
            },
            {
              key: 'change',
              head: t('rest.change'),
              numeric: true,
              cell: ([, { changes }]) => <Changes changes={changes} />,
            },
          ]}
          rows={skipped}
          rowKey={([reason]) => reason}
        />
      )}
      {leftOut.length === 0 ? null : (
        <Table
          caption={t('rest.leftOut')}
          showCaption
          columns={[
            {
              key: 'reason',
              head: t('rest.kind'),
              rowHead: true,
              wraps: true,
              cell: ([reason]) => leftOutWords(reasons, reason),
            },
            {
              key: 'change',
              head: t('rest.change'),
              numeric: true,
              cell: ([, changes]) => <Changes changes={changes} />,
            },
          ]}
          rows={leftOut}
          rowKey={([reason]) => reason}
        />
      )}
    </section>
  );
}

/** One line for each token, with a sign on both sides to avoid doubt. */
function Changes({ changes }: { changes: readonly BalanceChangeBody[] }) {
  const t = useTranslations('statement');
  const locale = useLocale();
  if (changes.length === 0) return <span className="muted">{t('rest.none')}</span>;
  return changes.map(({ mint, token, amount_raw: raw, decimals }) => (
    <span key={mint ?? ''} className={styles['part']}>
      {raw.startsWith('-') ? '−' : '+'}
      {amountOf(raw.replace('-', ''), decimals, locale, 0)} {token}
    </span>
  ));
}
