'use client';

import type { inferRouterInputs } from '@trpc/server';
import { useLocale, useTranslations } from 'next-intl';
import { useDeferredValue } from 'react';
import type { AppRouter } from '@/server/api/app-router';
import { api } from '../api';
import { failureOf } from '../api-client';
import { useErrorWords } from '../use-error-words';
import { groupDigits } from '../ui/amount';
import { Money } from '../ui/money';
import { Table } from '../ui/table';
import styles from './dashboard.module.css';

type CountriesProps = {
  wish: inferRouterInputs<AppRouter>['dashboard']['countries'];
  /** All receipts that the filter selects. */
  total: number | undefined;
  /** The text without receipts, if the filter leaves some out. */
  empty: string | undefined;
};

/** The countries that a seller's payers paid from, where known. */
export function Countries({ wish, total, empty }: CountriesProps) {
  const t = useTranslations('dashboard');
  const locale = useLocale();
  const words = useErrorWords();
  const countryName = useCountryName();
  const found = api.dashboard.countries.useQuery(wish);
  const known = useDeferredValue(found.data?.countries);
  const unknown =
    known && total !== undefined ? total - known.reduce((sum, { count }) => sum + count, 0) : 0;
  return (
    <section className={`stack ${styles['countries']}`} aria-labelledby="countries">
      <h2 id="countries">{t('countries.title')}</h2>
      <p className="muted small">{t('countries.text')}</p>
      <Table
        stacks
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
            cell: (row) =>
              row.usd_amount === '' ? '–' : <Money value={row.usd_amount} currency="USD" bare />,
          },
        ]}
        rows={
          known && [
            ...known,
            ...(unknown > 0 ? [{ country: null, count: unknown, usd_amount: '' }] : []),
          ]
        }
        rowKey={(row) => row.country ?? 'unknown'}
        empty={empty ?? t('countries.empty')}
        error={
          found.error ? { message: words(failureOf(found.error)), onRetry: found.refetch } : null
        }
      />
    </section>
  );
}

/** The name of a country. A payer without a proof, or from an unknown place, has none. */
export function useCountryName(): (code: string | null) => string {
  const t = useTranslations('dashboard');
  const names = new Intl.DisplayNames(useLocale(), { type: 'region' });
  return (code) => (code === null ? t('countries.unknown') : (names.of(code) ?? code));
}
