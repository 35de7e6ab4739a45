'use client';

import { useLocale, useTranslations } from 'next-intl';
import { useDeferredValue } from 'react';
import { api } from '../api';
import { failureOf } from '../api-client';
import { useErrorWords } from '../use-error-words';
import { groupAmount, groupDigits } from '../ui/amount';
import { Table } from '../ui/table';
import styles from './dashboard.module.css';

type CountriesProps = {
  period: { first_day: string; last_day: string };
  /** Receipts of the period in all. */
  total: number | undefined;
};

/** Where a seller's payers paid from, as far as it is known. */
export function Countries({ period, total }: CountriesProps) {
  const t = useTranslations('dashboard');
  const locale = useLocale();
  const words = useErrorWords();
  const countryName = useCountryName();
  const found = api.dashboard.countries.useQuery(period);
  const known = useDeferredValue(found.data?.countries);
  const unknown =
    known && total !== undefined ? total - known.reduce((sum, { count }) => sum + count, 0) : 0;
  return (
    <section className={`stack ${styles['countries']}`} aria-labelledby="countries">
      <h2 id="countries">{t('countries.title')}</h2>
      <p className="muted small">{t('countries.text')}</p>
      <Table
        caption={t('countries.caption')}
        columns={[
          {
            key: 'country',
            head: t('countries.country'),
            rowHead: true,
            wraps: true,
            cell: (row) => countryName(row.country),
          },
          {
            key: 'count',
            head: t('countries.receipts'),
            numeric: true,
            cell: (row) => groupDigits(String(row.count), locale),
          },
          {
            key: 'usd',
            head: t('countries.usd'),
            numeric: true,
            cell: (row) => (row.usd_amount === '' ? '–' : groupAmount(row.usd_amount, locale)),
          },
        ]}
        rows={
          known && [
            ...known,
            ...(unknown > 0 ? [{ country: null, count: unknown, usd_amount: '' }] : []),
          ]
        }
        rowKey={(row) => row.country ?? 'unknown'}
        empty={t('countries.empty')}
        error={
          found.error
            ? { message: words(failureOf(found.error)), onRetry: () => void found.refetch() }
            : null
        }
      />
    </section>
  );
}

/** Names a country; a payer who called without proof, or from nowhere known, has none. */
export function useCountryName(): (code: string | null) => string {
  const t = useTranslations('dashboard');
  const names = new Intl.DisplayNames(useLocale(), { type: 'region' });
  return (code) => (code === null ? t('countries.unknown') : (names.of(code) ?? code));
}
