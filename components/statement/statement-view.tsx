'use client';

import { useLocale, useTranslations } from 'next-intl';
import type { StatementBody } from '@/server/use-cases/statements/schemas';
import { CheckYourself } from '../proof/check-yourself';
import { Evidence } from '../proof/evidence';
import { Keep } from '../proof/keep';
import { Technical } from '../proof/technical';
import { Verdict } from '../proof/verdict';
import { failedWords } from '../receipt/failed-words';
import { MintProgress } from '../receipt/mint-progress';
import { RetryMint } from '../receipt/retry-mint';
import { Address } from '../ui/address';
import { amountOf, decimalOf, groupDigits } from '../ui/amount';
import { Banner } from '../ui/banner';
import { Chart } from '../ui/chart';
import { dateText } from '../ui/dates';
import { Money } from '../ui/money';
import { Table } from '../ui/table';
import { useRefresh } from '../ui/use-refresh';
import { statementBars } from './statement-bars';
import { StatementRest } from './statement-rest';
import { StatementRows } from './statement-rows';
import styles from './statement.module.css';

type Statement = StatementBody;
type Row = Statement['transactions'][number];

type StatementViewProps = {
  statement: Statement;
  /** Why its proof on chain failed. Null if it did not fail, or if no reason is recorded. */
  lastError: string | null;
};

/**
 * A statement: the verdict, totals, a chart, rows, other balance changes, and how to check it all.
 */
export function StatementView({ statement, lastError }: StatementViewProps) {
  const t = useTranslations('statement');
  const locale = useLocale();
  const refresh = useRefresh();
  const { summary, statement_id: id, mint_status: status } = statement;
  const { unit, bars } = statementBars(statement, locale);
  const of = { kind: 'statement', id } as const;
  const failed = failedWords(lastError);
  // A statement has no transaction of its own, so only its fee payment can vanish.
  const why = failed.text === 'paymentDropped' ? 'paymentDropped' : 'other';
  return (
    <div className="stack-wide">
      <div className={styles['top']}>
        <div className="stack">
          <h1>
            {t('view.title')} <span className="mono">{id}</span>
          </h1>
          <p className="muted" suppressHydrationWarning>
            {t.rich('view.subtitle', {
              wallet: () => <Address value={statement.wallet} label={t('view.wallet')} />,
              first: dateText(summary.period_start, locale, 'day'),
              last: dateText(summary.period_end, locale, 'day'),
            })}
          </p>
        </div>
        <div className="stack">
          <Verdict of={of} state={status} failed={t(`failed.${why}`)} />
          {status === 'pending' ? <MintProgress id={id} made="statement" onEnd={refresh} /> : null}
          {status === 'failed' && failed.canRetry ? (
            <RetryMint failed={{ made: 'statement', statementId: id }} onStarted={refresh} />
          ) : null}
        </div>
      </div>
      {statement.complete ? null : (
        <Banner kind="warning" quiet title={t('view.incomplete.title')}>
          {t('view.incomplete.text')}
        </Banner>
      )}
      <Totals statement={statement} />
      <section className="stack" aria-labelledby="chart-title">
        <h2 id="chart-title">{t(`view.by.${unit}`)}</h2>
        <Chart
          caption={t(`view.chart.${unit}`)}
          series={[t('view.paidUsd'), t('view.receivedUsd')]}
          unit={t(`view.unit.${unit}`)}
          bars={bars}
        />
      </section>
      <StatementRows statement={statement} />
      <StatementRest statement={statement} />
      <div className={`${styles['proof'] ?? ''} screen-only`}>
        <Evidence of={of} state={status} />
        {status === 'completed' ? <CheckYourself of={of} /> : null}
        <Keep of={of} state={status} />
        <Technical
          of={of}
          minted={{ ...statement, asset_id: statement.nft_mint }}
          more={[
            {
              term: t('view.csvHash'),
              value: <span className="mono">{statement.csv_sha256}</span>,
            },
            {
              term: t('view.merkleRoot'),
              value: <span className="mono">{statement.merkle_root}</span>,
            },
          ]}
        />
      </div>
    </div>
  );
}

function Totals({ statement }: { statement: Statement }) {
  const t = useTranslations('statement');
  const locale = useLocale();
  const { summary } = statement;
  const sum = (role: Row['role'] | null) =>
    usdOf(
      statement.transactions
        .filter((row) => role === null || row.role === role)
        .reduce((total, row) => total + BigInt(row.usd_amount_raw), 0n),
    );
  const tokens = Object.keys(summary.by_token);
  const sumOf = (token: string, role: Row['role'] | null) => {
    const rows = statement.transactions.filter((row) => row.token === token);
    const total = rows
      .filter((row) => role === null || row.role === role)
      .reduce((sum, row) => sum + BigInt(row.amount_raw), 0n);
    return amountOf(total, rows[0]?.decimals ?? 0, locale);
  };
  return (
    <section className="stack" aria-label={t('totals.label')}>
      <dl className={styles['totals']}>
        <div>
          <dt>{t('totals.payments')}</dt>
          <dd>{groupDigits(String(summary.tx_count), locale)}</dd>
        </div>
        {summary.row_count === summary.tx_count ? null : (
          <div>
            <dt>{t('totals.rows')}</dt>
            <dd>{groupDigits(String(summary.row_count), locale)}</dd>
          </div>
        )}
        <div>
          <dt>{t('totals.paid')}</dt>
          <dd>{sum('payer')}</dd>
        </div>
        <div>
          <dt>{t('totals.received')}</dt>
          <dd>{sum('seller')}</dd>
        </div>
        <div>
          <dt>{t('totals.total')}</dt>
          <dd>{sum(null)}</dd>
        </div>
      </dl>
      <Table
        stacks
        caption={t('totals.byToken')}
        columns={[
          { key: 'token', head: t('totals.token'), rowHead: true, cell: (token) => token },
          {
            key: 'total',
            head: t('totals.total'),
            numeric: true,
            cell: (token) => sumOf(token, null),
          },
          {
            key: 'paid',
            head: t('totals.paid'),
            numeric: true,
            cell: (token) => sumOf(token, 'payer'),
          },
          {
            key: 'received',
            head: t('totals.received'),
            numeric: true,
            cell: (token) => sumOf(token, 'seller'),
          },
        ]}
        rows={tokens}
        rowKey={(token) => token}
      />
    </section>
  );
}

function usdOf(micros: bigint) {
  return <Money value={decimalOf(String(micros), 6)} currency="USD" />;
}
