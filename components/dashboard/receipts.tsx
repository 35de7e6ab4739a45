'use client';

import { keepPreviousData } from '@tanstack/react-query';
import type { inferRouterInputs } from '@trpc/server';
import Link from 'next/link';
import { useTranslations } from 'next-intl';
import { useDeferredValue, useEffect, useMemo, useState } from 'react';
import type { Translate } from '@/i18n/translate';
import type { AppRouter } from '@/server/api/app-router';
import type { RowBody } from '@/server/use-cases/dashboard/schemas';
import { api } from '../api';
import { failureOf } from '../api-client';
import { Address } from '../ui/address';
import { Amount } from '../ui/amount';
import { Badge } from '../ui/badge';
import { Button } from '../ui/button';
import { useErrorWords } from '../use-error-words';
import { classNames } from '../ui/class-names';
import { Money } from '../ui/money';
import { Table, type Column } from '../ui/table';
import { Time } from '../ui/time';
import { useCountryName } from './countries';
import styles from './dashboard.module.css';
import { Note } from './note';
import { Retry } from './retry';
import type { Role } from './role';
import type { ChangeView, Place, View } from './view';

type Texts = Translate<'dashboard'>;

type Wish = Omit<inferRouterInputs<AppRouter>['dashboard']['rows'], 'cursor'>;

/** The payments that match a filter, newest first, in pages, with a row for each leg. */
export function Receipts({
  wish,
  view,
  change,
  asked,
  onFound,
}: {
  wish: Wish;
  view: View;
  change: ChangeView;
  /** The filter as one text. */
  asked: string;
  /** The result in words. */
  onFound: (answer: { asked: string; words: string }) => void;
}) {
  const t = useTranslations('dashboard');
  const words = useErrorWords();
  const countryName = useCountryName();
  const { role } = wish;
  const kept = view.places[role];
  const ends = kept.asked === asked ? kept.ends : [];
  // The number of the page that was left: its rows stay until those of the next page are there.
  const [left, setLeft] = useState(1);
  const go = (to: Place['ends']) => {
    setLeft(ends.length + 1);
    change(({ places }) => ({ places: { ...places, [role]: { asked, ends: to } } }));
  };
  const page = api.dashboard.rows.useQuery(
    { ...wish, cursor: ends.at(-1) ?? null },
    { placeholderData: keepPreviousData },
  );
  const number = page.isPlaceholderData ? left : ends.length + 1;
  const now = useMemo(() => ({ rows: page.data?.rows, number }), [page.data, number]);
  // Many rows are drawn in pieces, so that the page stays responsive. Their number changes with them.
  const { rows, number: shown } = useDeferredValue(now);
  const isWaiting = page.isFetching || page.isPlaceholderData;
  const next = page.data?.next;
  const count = page.data?.rows.length;
  const found =
    count === undefined || isWaiting
      ? null
      : count === 0
        ? emptyWords(t, wish)
        : t('receipts.found', { count });
  useEffect(() => {
    if (found !== null) onFound({ asked, words: found });
  }, [asked, found, onFound]);
  return (
    <>
      <Table
        stacks
        caption={t(role === 'seller' ? 'receipts.received' : 'receipts.made')}
        columns={columnsOf(t, {
          role,
          wallet: wish.wallet,
          hasAction: rows?.some(canRetry) ?? false,
          countryName,
        })}
        rows={rows}
        rowKey={(row) => `${row.tx_signature} ${row.part}`}
        empty={emptyWords(t, wish)}
        error={page.error ? { message: words(failureOf(page.error)), onRetry: page.refetch } : null}
      />
      {ends.length > 0 || next ? (
        <nav className={styles['between']} aria-label={t('receipts.pages')}>
          <Button
            size="small"
            disabled={ends.length === 0 || isWaiting}
            onClick={() => go(ends.slice(0, -1))}
          >
            {t('receipts.newer')}
          </Button>
          <span className="muted small" role="status">
            {t('receipts.page', { page: shown })}
          </span>
          <Button
            size="small"
            disabled={!next || isWaiting}
            onClick={() => next && go([...ends, next])}
          >
            {t('receipts.older')}
          </Button>
        </nav>
      ) : null}
    </>
  );
}

function emptyWords(t: Texts, wish: Wish): string {
  if (wish.search || wish.token || wish.status) return t('receipts.noMatch');
  return t(wish.role === 'seller' ? 'receipts.noneReceived' : 'receipts.nonePaid');
}

/** The page of the payment: its receipt, else the statement that lists it. */
function pageOf({ receipt_id: receipt, statement_id: statement }: RowBody): string {
  return receipt === null ? `/s/${statement ?? ''}` : `/r/${receipt}`;
}

/** Only then does the last column have something to press. */
function canRetry(row: RowBody): boolean {
  return row.mint_status === 'failed' && row.receipt_id !== null && row.part === 1;
}

function columnsOf(
  t: Texts,
  o: {
    role: Role;
    wallet: string;
    hasAction: boolean;
    countryName: (code: string | null) => string;
  },
): Column<RowBody>[] {
  const { role, wallet, hasAction } = o;
  return [
    {
      key: 'time',
      head: t('receipts.time'),
      rowHead: true,
      cell: (row) => (
        <>
          <Link href={pageOf(row)} className="numbers" prefetch={false}>
            <Time value={row.block_time} bare />
          </Link>
          {row.parts > 1 ? (
            <span className={classNames('muted', styles['part'])}>
              {t('receipts.part', { part: row.part, parts: row.parts })}
            </span>
          ) : null}
        </>
      ),
    },
    {
      key: 'amount',
      head: t('receipts.amount'),
      numeric: true,
      cell: (row) => <Amount value={row.amount} token={row.token} />,
    },
    {
      key: 'worth',
      head: t('receipts.worth'),
      numeric: true,
      cell: ({ local, usd_amount: usd }) =>
        local.amount === null ? (
          <span className="muted">{t(usd === null ? 'receipts.noValue' : 'receipts.noRate')}</span>
        ) : (
          <Money value={local.amount} currency={local.currency} />
        ),
    },
    {
      key: 'who',
      head: t(role === 'seller' ? 'receipts.from' : 'receipts.to'),
      cell: (row) => (
        <Address
          value={row.counterparty}
          label={t(role === 'seller' ? 'receipts.payer' : 'receipts.seller')}
          bare
        />
      ),
    },
    ...(role === 'seller' ? [countryColumn(t, o.countryName)] : []),
    {
      key: 'for',
      head: t('receipts.for'),
      wraps: true,
      cell: (row) => (
        <>
          <bdi>{row.service_type}</bdi>
          {row.statement_id ? (
            <span className="muted">{t('receipts.statement', { id: row.statement_id })}</span>
          ) : null}
          {row.invoice_id ? (
            <span className="muted">
              {' '}
              · <bdi>{row.invoice_id}</bdi>
            </span>
          ) : null}
          {row.automatic ? <span className="muted"> · {t('receipts.automatic')}</span> : null}
        </>
      ),
    },
    {
      key: 'note',
      head: t('receipts.note'),
      // A note belongs to a receipt, not to one of its rows.
      cell: (row) =>
        row.receipt_id && row.part === 1 ? (
          <Note wallet={wallet} receiptId={row.receipt_id} label={row.label} />
        ) : (
          <span className="muted">
            <bdi>{row.label ?? '–'}</bdi>
          </span>
        ),
    },
    {
      key: 'state',
      head: t('receipts.proof'),
      action: hasAction,
      cell: (row) => <State {...{ row, wallet }} />,
    },
  ];
}

function countryColumn(t: Texts, name: (code: string | null) => string): Column<RowBody> {
  return {
    key: 'country',
    head: t('receipts.country'),
    cell: ({ payer_country: code }) =>
      code ? name(code) : <span className="muted">{name(null)}</span>,
  };
}

function State({ row, wallet }: { row: RowBody; wallet: string }) {
  const t = useTranslations('dashboard');
  if (row.receipt_id === null || row.mint_status === null)
    return <span className="muted">{t('receipts.noReceipt')}</span>;
  if (row.mint_status === 'completed')
    return <Badge kind="completed">{t('receipts.proven')}</Badge>;
  return (
    <div className={styles['state']}>
      <Badge kind={row.mint_status} />
      {row.last_error ? (
        <span className={`muted ${styles['reason']}`} lang="en">
          {row.last_error}
        </span>
      ) : null}
      {canRetry(row) ? <Retry wallet={wallet} receiptId={row.receipt_id} /> : null}
    </div>
  );
}
