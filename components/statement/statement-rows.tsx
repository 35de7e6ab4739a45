'use client';

import { useMemo, useState } from 'react';
import type { StatementBody } from '@/server/use-cases/statements/schemas';
import { Address } from '../ui/address';
import { amountOf } from '../ui/amount';
import { ButtonLink } from '../ui/button';
import { Field, Select } from '../ui/field';
import { Sign } from '../ui/sign';
import { Table, type Column, type Sort } from '../ui/table';
import { Time } from '../ui/time';
import { placeRows, sortRows, type PlacedRow } from './leg-places';
import styles from './statement.module.css';

/** The rows of a statement, one for each leg of its wallet, to search and to sort. */
export function StatementRows({ statement }: { statement: StatementBody }) {
  const [search, setSearch] = useState('');
  const [role, setRole] = useState('');
  const [sort, setSort] = useState<Sort>({ key: 'time', descending: true });
  const rows = useMemo(() => {
    const wanted = placeRows(statement.transactions).filter(
      (row) =>
        (role === '' || row.role === role) &&
        (search === '' ||
          [row.counterparty, row.tx_signature, row.token, row.receipt_id ?? ''].some((text) =>
            text.toLowerCase().includes(search.toLowerCase()),
          )),
    );
    return sortRows(wanted, sort);
  }, [statement.transactions, search, role, sort]);
  const hasLegs = statement.summary.row_count > statement.summary.tx_count;
  return (
    <section className="stack" aria-label="Payments">
      <div className={styles['head']}>
        <h2>Payments</h2>
        <ButtonLink
          className="screen-only"
          size="small"
          href={`/statement/${statement.statement_id}/csv`}
          download={`statement-${statement.statement_id}.csv`}
        >
          <Sign name="down" /> CSV
        </ButtonLink>
      </div>
      {hasLegs ? (
        <p className="muted small">
          A transaction that pays several wallets or in several tokens has one row for each. Rows of
          one transaction are numbered.
        </p>
      ) : null}
      <div className={`${styles['filters']} screen-only`}>
        <Field
          label="Search"
          size="small"
          value={search}
          placeholder="Wallet, token, signature"
          onChange={(event) => setSearch(event.target.value.trim())}
        />
        <Select
          label="Direction"
          size="small"
          value={role}
          onChange={(event) => setRole(event.target.value)}
          options={[
            { value: '', label: 'Both' },
            { value: 'payer', label: 'Paid' },
            { value: 'seller', label: 'Received' },
          ]}
        />
      </div>
      <Table
        caption="Payments of the statement"
        columns={COLUMNS}
        rows={rows}
        rowKey={(row) => String(row.place)}
        sort={sort}
        onSort={setSort}
        empty="No payment fits what you are looking for."
      />
    </section>
  );
}

const COLUMNS: readonly Column<PlacedRow>[] = [
  {
    key: 'time',
    head: 'Time (UTC)',
    sortable: true,
    rowHead: true,
    cell: (row) => (
      <>
        <Time value={row.block_time} />
        {row.parts > 1 ? (
          <span className={`${styles['part']} muted`}>
            Row {row.part} of {row.parts} of one transaction
          </span>
        ) : null}
      </>
    ),
  },
  {
    key: 'role',
    head: 'Direction',
    sortable: true,
    cell: (row) => (row.role === 'payer' ? 'Paid to' : 'Received from'),
  },
  {
    key: 'amount',
    head: 'Amount',
    numeric: true,
    cell: (row) => `${amountOf(row.amount_raw, row.decimals)} ${row.token}`,
  },
  {
    key: 'usd',
    head: 'USD',
    numeric: true,
    sortable: true,
    cell: (row) => amountOf(row.usd_amount_raw, 6),
  },
  {
    key: 'counterparty',
    head: 'Other wallet',
    cell: (row) => <Address value={row.counterparty} label="Other wallet" />,
  },
  {
    key: 'receipt',
    head: 'Receipt',
    cell: (row) => (row.receipt_id ? <a href={`/r/${row.receipt_id}`}>{row.receipt_id}</a> : '–'),
  },
  {
    key: 'transaction',
    head: 'Transaction',
    cell: (row) => <Address value={row.tx_signature} kind="transaction" label="Transaction" />,
  },
];
