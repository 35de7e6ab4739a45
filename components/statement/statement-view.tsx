'use client';

import { useRouter } from 'next/navigation';
import type { StatementBody } from '@/server/use-cases/statements/schemas';
import { CheckYourself } from '../proof/check-yourself';
import { Evidence } from '../proof/evidence';
import { Keep } from '../proof/keep';
import { Technical } from '../proof/technical';
import { Verdict } from '../proof/verdict';
import { MintProgress } from '../receipt/mint-progress';
import { Address } from '../ui/address';
import { amountOf, groupDigits } from '../ui/amount';
import { Banner } from '../ui/banner';
import { Chart } from '../ui/chart';
import { Table } from '../ui/table';
import { statementBars } from './statement-bars';
import { StatementRest } from './statement-rest';
import { StatementRows } from './statement-rows';
import styles from './statement.module.css';

type Statement = StatementBody;
type Row = Statement['transactions'][number];

/** A statement: the verdict, totals, a chart, rows, what else changed the balances, and how to check it all. */
export function StatementView({ statement }: { statement: Statement }) {
  const router = useRouter();
  const { summary, statement_id: id, mint_status: status } = statement;
  const { unit, bars } = statementBars(statement);
  const of = { kind: 'statement', id } as const;
  return (
    <div className="stack-wide">
      <div className="stack">
        <h1>
          Statement <span className="mono">{id}</span>
        </h1>
        <p className="muted">
          Payments of <Address value={statement.wallet} label="Wallet" /> from{' '}
          {summary.period_start} to {summary.period_end} (UTC)
        </p>
      </div>
      <div className="stack screen-only">
        <Verdict of={of} state={status} failed={FAILED} />
        {status === 'pending' ? (
          <MintProgress id={id} made="statement" onEnd={() => router.refresh()} />
        ) : null}
      </div>
      {statement.complete ? null : (
        <Banner kind="warning" quiet title="Some accounts could not be searched">
          The wallet had token accounts that are closed or too many to look through, so payments of
          theirs may be missing.
        </Banner>
      )}
      <Totals statement={statement} />
      <section className="stack" aria-labelledby="chart-title">
        <h2 id="chart-title">By {unit.toLowerCase()}</h2>
        <Chart
          caption={`Payments by ${unit.toLowerCase()} in US dollars`}
          series={['Paid (USD)', 'Received (USD)']}
          unit={unit}
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
              term: 'SHA-256 of CSV',
              value: <span className="mono">{statement.csv_sha256}</span>,
            },
            {
              term: 'Merkle root',
              value: <span className="mono">{statement.merkle_root}</span>,
            },
          ]}
        />
      </div>
    </div>
  );
}

const FAILED =
  'The proof on chain could not be made; the payment is not affected. Send the same request with the same payment again: once an hour that starts a new try, and nothing is charged.';

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
          <dt>Total (USD)</dt>
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
  return amountOf((micros + 5_000n) / 10_000n, 2);
}

/** No token has more than nine decimals; the default of three would hide what was paid. */
function exact(amount: number): string {
  return amount.toLocaleString('en', { maximumFractionDigits: 9 });
}
