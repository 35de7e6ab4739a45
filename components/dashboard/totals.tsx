'use client';

import { useLocale, useTranslations } from 'next-intl';
import { useDeferredValue } from 'react';
import type { TotalsBody } from '@/server/use-cases/dashboard/schemas';
import { failureOf } from '../api-client';
import { useErrorWords } from '../use-error-words';
import { groupAmount, groupDigits } from '../ui/amount';
import { Banner } from '../ui/banner';
import { Chart } from '../ui/chart';
import { classNames } from '../ui/class-names';
import { dateText } from '../ui/dates';
import { LoadFailed } from '../ui/load-failed';
import { Money, moneyText } from '../ui/money';
import { Skeleton } from '../ui/skeleton';
import { Table } from '../ui/table';
import styles from './dashboard.module.css';
import type { Role } from './role';

type Query = { data: TotalsBody | undefined; error: unknown; refetch: () => unknown };

/** The totals of the period: overall, by token, and by month as bars. */
export function Totals({ role, totals }: { role: Role; totals: Query }) {
  const t = useTranslations('dashboard');
  const locale = useLocale();
  const words = useErrorWords();
  // Drawn in pieces, so that the page stays responsive.
  const data = useDeferredValue(totals.data);
  if (totals.error)
    return (
      <LoadFailed title={t('totals.error')} onAgain={totals.refetch}>
        {words(failureOf(totals.error))}
      </LoadFailed>
    );
  if (!data)
    return (
      <div className={`card ${styles['totals']}`}>
        <Skeleton lines={8} label={t('totals.loading')} />
      </div>
    );
  const { currency } = data;
  const title = t(`totals.title.${role}`);
  return (
    <section
      className={classNames('card', 'stack', data.count > 0 && styles['totals'])}
      aria-label={t(`totals.label.${role}`)}
    >
      <div className={styles['figures']}>
        <p>
          <span className="muted small">{title}</span>
          <span className={styles['figure']}>
            <Money value={data.local_amount} currency={currency} />
          </span>
        </p>
        <p>
          <span className="muted small">{t('totals.payments')}</span>
          <span className={styles['figure']}>{groupDigits(String(data.count), locale)}</span>
        </p>
        {data.row_count === data.count ? null : (
          <p>
            <span className="muted small">{t('totals.rows')}</span>
            <span className={styles['figure']}>{groupDigits(String(data.row_count), locale)}</span>
          </p>
        )}
        {currency === 'USD' ? null : (
          <p>
            <span className="muted small">{t('totals.usd')}</span>
            <span className={styles['figure']}>
              <Money value={data.usd_amount} currency="USD" />
            </span>
          </p>
        )}
      </div>
      {data.without_rate > 0 ? (
        <Banner kind="warning" quiet>
          {t('totals.withoutRate', { count: data.without_rate, currency })}
        </Banner>
      ) : null}
      {data.count === 0 ? null : (
        <>
          <Chart
            caption={t(`totals.byMonth.${role}`, { currency })}
            series={[`${title} (${currency})`]}
            unit={t('totals.month')}
            bars={data.by_month.map(({ month, local_amount }) => ({
              label: dateText(month, locale, 'month'),
              values: [Number(local_amount)],
              texts: [moneyText(local_amount, currency, locale)],
            }))}
          />
          <Table
            stacks
            caption={t(`totals.byToken.${role}`)}
            columns={[
              { key: 'token', head: t('totals.token'), rowHead: true, cell: (row) => row.token },
              {
                key: 'count',
                head: t('totals.count'),
                numeric: true,
                cell: (row) => groupDigits(String(row.row_count), locale),
              },
              {
                key: 'amount',
                head: t('totals.amount'),
                numeric: true,
                cell: (row) => groupAmount(row.amount, locale),
              },
              {
                key: 'worth',
                head: currency,
                numeric: true,
                cell: (row) => <Money value={row.local_amount} currency={currency} bare />,
              },
            ]}
            rows={data.by_token}
            rowKey={(row) => row.mint ?? 'SOL'}
          />
          <p className="muted small">
            {t('totals.rates')}
            {data.provisional ? ` ${t('totals.provisional')}` : ''}
          </p>
        </>
      )}
    </section>
  );
}
