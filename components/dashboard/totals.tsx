'use client';

import { useDeferredValue } from 'react';
import type { TotalsBody } from '@/server/use-cases/dashboard/schemas';
import { failureOf } from '../api-client';
import { groupAmount, groupDigits } from '../ui/amount';
import { Banner } from '../ui/banner';
import { Button } from '../ui/button';
import { Chart } from '../ui/chart';
import { classNames } from '../ui/class-names';
import { Skeleton } from '../ui/skeleton';
import { Table } from '../ui/table';
import styles from './dashboard.module.css';
import type { Role } from './role';

type Query = { data: TotalsBody | undefined; error: unknown; refetch: () => unknown };

/** What the period comes to: in all, by token, and by month as bars. */
export function Totals({ role, totals }: { role: Role; totals: Query }) {
  // Drawn piece by piece, so that the page answers meanwhile.
  const data = useDeferredValue(totals.data);
  if (totals.error)
    return (
      <Banner
        kind="error"
        title="The totals could not be loaded."
        actions={
          <Button size="small" onClick={() => void totals.refetch()}>
            Try again
          </Button>
        }
      >
        {failureOf(totals.error).message}
      </Banner>
    );
  if (!data)
    return (
      <div className={`card ${styles['totals']}`}>
        <Skeleton lines={8} label="Adding up" />
      </div>
    );
  const { currency } = data;
  const title = role === 'seller' ? 'Received' : 'Paid';
  return (
    <section
      className={classNames('card', 'stack', data.count > 0 && styles['totals'])}
      aria-label={`${title} in this period`}
    >
      <div className={styles['figures']}>
        <p>
          <span className="muted small">{title}</span>
          <span className={styles['figure']}>
            {groupDigits(data.local_amount)} {currency}
          </span>
        </p>
        <p>
          <span className="muted small">Payments</span>
          <span className={styles['figure']}>{groupDigits(String(data.count))}</span>
        </p>
        {data.row_count === data.count ? null : (
          <p>
            <span className="muted small">Rows, one for each leg</span>
            <span className={styles['figure']}>{groupDigits(String(data.row_count))}</span>
          </p>
        )}
        {currency === 'USD' ? null : (
          <p>
            <span className="muted small">In US dollars</span>
            <span className={styles['figure']}>{groupAmount(data.usd_amount)} USD</span>
          </p>
        )}
      </div>
      {data.without_rate > 0 ? (
        <Banner kind="warning" quiet>
          {data.without_rate} rows are on days without a published rate and are left out of the
          amounts in {currency}. Their value in US dollars is counted.
        </Banner>
      ) : null}
      {data.count === 0 ? null : (
        <>
          <Chart
            caption={`${title} by month, in ${currency}`}
            series={[`${title} (${currency})`]}
            unit="Month"
            bars={data.by_month.map(({ month, local_amount }) => ({
              label: month,
              values: [Number(local_amount)],
              texts: [`${groupDigits(local_amount)} ${currency}`],
            }))}
          />
          <Table
            caption={`${title} by token`}
            columns={[
              { key: 'token', head: 'Token', rowHead: true, cell: (row) => row.token },
              {
                key: 'count',
                head: 'Rows',
                numeric: true,
                cell: (row) => groupDigits(String(row.row_count)),
              },
              {
                key: 'amount',
                head: 'Amount',
                numeric: true,
                cell: (row) => groupAmount(row.amount),
              },
              {
                key: 'worth',
                head: currency,
                numeric: true,
                cell: (row) => groupDigits(row.local_amount),
              },
            ]}
            rows={data.by_token}
            rowKey={(row) => row.mint ?? 'SOL'}
          />
          <p className="muted small">
            Values are by the rate of the day of each payment, rounded once for each day and token.
            They cover receipts and the statements of this wallet, every leg of each.
            {data.provisional ? ' The latest rates may still change.' : ''}
          </p>
        </>
      )}
    </section>
  );
}
