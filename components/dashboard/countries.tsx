'use client';

import { useDeferredValue } from 'react';
import { api } from '../api';
import { failureOf } from '../api-client';
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
  const found = api.dashboard.countries.useQuery(period);
  const known = useDeferredValue(found.data?.countries);
  const unknown =
    known && total !== undefined ? total - known.reduce((sum, { count }) => sum + count, 0) : 0;
  return (
    <section className={`stack ${styles['countries']}`} aria-labelledby="countries">
      <h2 id="countries">Countries of payers</h2>
      <p className="muted small">From the payer’s address at the time, seen only by you.</p>
      <Table
        caption="Countries of payers, with receipts and dollars"
        columns={[
          {
            key: 'country',
            head: 'Country',
            rowHead: true,
            wraps: true,
            cell: (row) => countryName(row.country),
          },
          {
            key: 'count',
            head: 'Receipts',
            numeric: true,
            cell: (row) => groupDigits(String(row.count)),
          },
          {
            key: 'usd',
            head: 'USD',
            numeric: true,
            cell: (row) => (row.usd_amount === '' ? '–' : groupAmount(row.usd_amount)),
          },
        ]}
        rows={
          known && [
            ...known,
            ...(unknown > 0 ? [{ country: null, count: unknown, usd_amount: '' }] : []),
          ]
        }
        rowKey={(row) => row.country ?? 'unknown'}
        empty="No receipts in this period."
        error={
          found.error
            ? { message: failureOf(found.error).message, onRetry: () => void found.refetch() }
            : null
        }
      />
    </section>
  );
}

const names = new Intl.DisplayNames('en', { type: 'region' });

/** The name of a country; a payer who called without proof, or from nowhere known, has none. */
export function countryName(code: string | null): string {
  return code === null ? 'Not known' : (names.of(code) ?? code);
}
