import type { BalanceChangeBody, StatementBody } from '@/server/use-cases/statements/schemas';
import { leftOutWords, skippedWords } from '../reason-words';
import { amountOf, groupDigits } from '../ui/amount';
import { classNames } from '../ui/class-names';
import { Table } from '../ui/table';
import styles from './statement.module.css';

/**
 * What changed the balances of the wallet and is no row: transactions without one by reason, and fees, rent
 * and the like. Nothing where there is none of it.
 */
export function StatementRest({ statement }: { statement: StatementBody }) {
  const skipped = Object.entries(statement.skipped);
  const leftOut = Object.entries(statement.left_out ?? {});
  if (skipped.length === 0 && leftOut.length === 0) return null;
  return (
    <section className={classNames('stack', styles['rest'])} aria-labelledby="rest-title">
      <h2 id="rest-title">Not in the rows</h2>
      <p className="muted small">
        Rows and these amounts together are the change of each balance of the wallet
        {statement.skipped['transaction_failed']
          ? ', without network fees of failed transactions'
          : ''}
        . The <a href={`/statement/${statement.statement_id}`}>statement as JSON</a> lists the
        signatures.
      </p>
      {skipped.length === 0 ? null : (
        <Table
          caption="Transactions without a row, by reason"
          showCaption
          columns={[
            {
              key: 'reason',
              head: 'Reason',
              rowHead: true,
              wraps: true,
              cell: ([reason]) => skippedWords(reason),
            },
            {
              key: 'count',
              head: 'Transactions',
              numeric: true,
              cell: ([, { count }]) => groupDigits(String(count)),
            },
            {
              key: 'change',
              head: 'Balance change',
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
          caption="Fees, rent and the like"
          showCaption
          columns={[
            {
              key: 'reason',
              head: 'What it is',
              rowHead: true,
              wraps: true,
              cell: ([reason]) => leftOutWords(reason),
            },
            {
              key: 'change',
              head: 'Balance change',
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

/** One line for each token; a sign on both sides, so that nobody has to guess. */
function Changes({ changes }: { changes: readonly BalanceChangeBody[] }) {
  if (changes.length === 0) return <span className="muted">none</span>;
  return changes.map(({ mint, token, amount_raw: raw, decimals }) => (
    <span key={mint ?? ''} className={styles['part']}>
      {raw.startsWith('-') ? '−' : '+'}
      {amountOf(raw.replace('-', ''), decimals, 0)} {token}
    </span>
  ));
}
