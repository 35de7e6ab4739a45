'use client';

import { useLocale, useTranslations } from 'next-intl';
import { useMemo, useState } from 'react';
import type { Translate } from '@/i18n/translate';
import type { StatementBody } from '@/server/use-cases/statements/schemas';
import { Address } from '../ui/address';
import { amountOf, decimalOf } from '../ui/amount';
import { ButtonLink } from '../ui/button';
import { Field, Select } from '../ui/field';
import { Money } from '../ui/money';
import { Sign } from '../ui/sign';
import { Table, type Column, type Sort } from '../ui/table';
import { Time } from '../ui/time';
import { useSayFound } from '../ui/use-say-found';
import { placeRows, sortRows, type PlacedRow } from './leg-places';
import styles from './statement.module.css';

/** The rows of a statement, one for each leg of its wallet, to search and to sort. */
export function StatementRows({ statement }: { statement: StatementBody }) {
  const t = useTranslations('statement');
  const locale = useLocale();
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
  useSayFound({
    asked: `${role} ${search}`,
    found: rows.length === 0 ? t('rows.empty') : t('rows.found', { count: rows.length }),
  });
  const hasLegs = statement.summary.row_count > statement.summary.tx_count;
  return (
    <section className="stack" aria-label={t('rows.title')}>
      <div className={styles['head']}>
        <h2>{t('rows.title')}</h2>
        <ButtonLink
          className="screen-only"
          size="small"
          href={`/statement/${statement.statement_id}/csv`}
          download={`statement-${statement.statement_id}.csv`}
        >
          <Sign name="down" /> CSV
        </ButtonLink>
      </div>
      {hasLegs ? <p className="muted small">{t('rows.legs')}</p> : null}
      <div className={`${styles['filters']} screen-only`}>
        <Field
          label={t('rows.search')}
          size="small"
          value={search}
          placeholder={t('rows.searchIn')}
          onValue={(text) => setSearch(text.trim())}
        />
        <Select
          label={t('rows.direction')}
          size="small"
          value={role}
          onValue={setRole}
          options={[
            { value: '', label: t('rows.both') },
            { value: 'payer', label: t('rows.paid') },
            { value: 'seller', label: t('rows.received') },
          ]}
        />
      </div>
      <Table
        stacks
        caption={t('rows.caption')}
        columns={columnsOf(t, locale)}
        rows={rows}
        rowKey={(row) => String(row.place)}
        sort={sort}
        onSort={setSort}
        empty={t('rows.empty')}
      />
    </section>
  );
}

const columnsOf = (t: Translate<'statement'>, locale: string): readonly Column<PlacedRow>[] => [
  {
    key: 'time',
    head: t('rows.time'),
    sortable: true,
    rowHead: true,
    cell: (row) => (
      <>
        <Time value={row.block_time} bare />
        {row.parts > 1 ? (
          <span className={`${styles['part']} muted`}>
            {t('rows.part', { part: row.part, parts: row.parts })}
          </span>
        ) : null}
      </>
    ),
  },
  {
    key: 'role',
    head: t('rows.direction'),
    sortable: true,
    cell: (row) => t(row.role === 'payer' ? 'rows.paidTo' : 'rows.receivedFrom'),
  },
  {
    key: 'amount',
    head: t('rows.amount'),
    numeric: true,
    cell: (row) => `${amountOf(row.amount_raw, row.decimals, locale)} ${row.token}`,
  },
  {
    key: 'usd',
    head: t('rows.usd'),
    numeric: true,
    sortable: true,
    cell: (row) => <Money value={decimalOf(row.usd_amount_raw, 6)} currency="USD" bare />,
  },
  {
    key: 'counterparty',
    head: t('rows.counterparty'),
    cell: (row) => <Address value={row.counterparty} label={t('rows.counterparty')} />,
  },
  {
    key: 'receipt',
    head: t('rows.receipt'),
    cell: (row) => (row.receipt_id ? <a href={`/r/${row.receipt_id}`}>{row.receipt_id}</a> : '–'),
  },
  {
    key: 'transaction',
    head: t('rows.transaction'),
    cell: (row) => (
      <Address value={row.tx_signature} kind="transaction" label={t('rows.transaction')} />
    ),
  },
];
