'use client';

import { useRouter } from 'next/navigation';
import type { StatementBody } from '@/server/use-cases/statements/schemas';
import { MintProgress } from '../receipt/mint-progress';
import { Address } from '../ui/address';
import { decimalOf, groupDigits } from '../ui/amount';
import { Badge } from '../ui/badge';
import { Banner } from '../ui/banner';
import { Chart, type Bar } from '../ui/chart';
import { Table } from '../ui/table';
import { StatementRest } from './statement-rest';
import { dollars, StatementRows } from './statement-rows';
import styles from './statement.module.css';

type Statement = StatementBody;
type Row = Statement['transactions'][number];

/** A statement: totals, months, rows, and what else changed the balances. */
export function StatementView({ statement }: { statement: Statement }) {
  const router = useRouter();
  const { summary, statement_id: id } = statement;
  return (
    <div className="stack-wide">
      <div className="stack">
        <div className={styles['head']}>
          <h1>
            Statement <span className="mono">{id}</span>
          </h1>
          {statement.mint_status === 'completed' ? (
            <Badge kind="completed" />
          ) : (
            <Badge kind={statement.mint_status} />
          )}
        </div>
        <p className="muted">
          Payments of <Address value={statement.wallet} label="Wallet" /> from{' '}
          {summary.period_start} to {summary.period_end} (UTC)
        </p>
      </div>
      {statement.mint_status === 'pending' ? (
        <section className="card stack" aria-label="State">
          <h2>The proof is being made</h2>
          <MintProgress id={id} made="statement" onEnd={() => router.refresh()} />
        </section>
      ) : null}
      {statement.complete ? null : (
        <Banner kind="warning" quiet title="Some accounts could not be searched">
          The wallet had token accounts that are closed or too many to look through, so payments of
          theirs may be missing.
        </Banner>
      )}
      <Totals statement={statement} />
      <section className="stack" aria-label="By month">
        <h2>By month</h2>
        <Chart
          caption="Payments by month in US dollars"
          series={['Paid', 'Received']}
          bars={monthsOf(statement.transactions)}
        />
      </section>
      <StatementRows statement={statement} />
      <StatementRest statement={statement} />
    </div>
  );
}

function Totals({ statement }: { statement: Statement }) {
  const { summary } = statement;
  const sum = (role: Row['role'] | null) =>
    cents(
      statement.transactions
        .filter((row) => role === null || row.role === role)
        .reduce((total, row) => total + BigInt(row.usd_amount_raw), 0n),
    );
  const tokens = Object.entries(summary.by_token);
  return (
    <section className="stack" aria-label="Totals">
      <dl className={styles['totals']}>
        <div>
          <dt>Payments</dt>
          <dd>{groupDigits(String(summary.tx_count))}</dd>
        </div>
        {summary.row_count === summary.tx_count ? null : (
          <div>
            <dt>Rows, one for each leg</dt>
            <dd>{groupDigits(String(summary.row_count))}</dd>
          </div>
        )}
        <div>
          <dt>Paid, USD</dt>
          <dd>{sum('payer')}</dd>
        </div>
        <div>
          <dt>Received, USD</dt>
          <dd>{sum('seller')}</dd>
        </div>
        <div>
          <dt>Together, USD</dt>
          <dd>{sum(null)}</dd>
        </div>
      </dl>
      <Table
        caption="Totals by token"
        columns={[
          { key: 'token', head: 'Token', rowHead: true, cell: ([token]) => token },
          {
            key: 'total',
            head: 'Total',
            numeric: true,
            cell: ([, total]) => exact(total),
          },
          {
            key: 'paid',
            head: 'Paid',
            numeric: true,
            cell: ([token]) => exact(summary.by_token_by_role[token]?.as_payer ?? 0),
          },
          {
            key: 'received',
            head: 'Received',
            numeric: true,
            cell: ([token]) => exact(summary.by_token_by_role[token]?.as_seller ?? 0),
          },
        ]}
        rows={tokens}
        rowKey={([token]) => token}
      />
    </section>
  );
}

/** Sums are large and stand alone: to the cent, half up. The rows and the CSV are exact. */
function cents(micros: bigint): string {
  return groupDigits(decimalOf(((micros + 5_000n) / 10_000n).toString(), 2));
}

/** No token has more than nine decimals; the default of three would hide what was paid. */
function exact(amount: number): string {
  return amount.toLocaleString('en', { maximumFractionDigits: 9 });
}

function monthsOf(rows: readonly Row[]): Bar[] {
  const months = new Map<string, { paid: bigint; received: bigint }>();
  for (const row of rows) {
    const label = row.block_time.slice(0, 7);
    const month = months.get(label) ?? { paid: 0n, received: 0n };
    if (row.role === 'payer') month.paid += BigInt(row.usd_amount_raw);
    else month.received += BigInt(row.usd_amount_raw);
    months.set(label, month);
  }
  return [...months]
    .sort(([a], [b]) => a.localeCompare(b))
    .map(([label, { paid, received }]) => ({
      label,
      values: [Number(paid), Number(received)],
      texts: [`${dollars(paid)} USD`, `${dollars(received)} USD`],
    }));
}
