'use client';

import { keepPreviousData } from '@tanstack/react-query';
import Link from 'next/link';
import { useLocale, useTranslations } from 'next-intl';
import { useDeferredValue, useEffect, useState } from 'react';
import type { Translate } from '@/i18n/translate';
import type { RowBody, RowCursorBody as Cursor } from '@/server/use-cases/dashboard/schemas';
import { api } from '../api';
import { failureOf } from '../api-client';
import { Address } from '../ui/address';
import { Amount, groupDigits } from '../ui/amount';
import { Badge } from '../ui/badge';
import { Button } from '../ui/button';
import { useErrorWords } from '../use-error-words';
import { classNames } from '../ui/class-names';
import { Table, type Column } from '../ui/table';
import { formatUtc } from '../ui/time';
import { useCountryName } from './countries';
import styles from './dashboard.module.css';
import { Note } from './note';
import { Retry } from './retry';
import type { Role } from './role';

type Texts = Translate<'dashboard'>;

type Wish = {
  role: Role;
  first_day: string;
  last_day: string;
  country: string;
  token?: string;
  search?: string;
  status?: 'pending' | 'failed';
};

/** The payments that a filter finds, newest first, page by page, with a row for each leg. */
export function Receipts({
  wish,
  asked,
  onFound,
}: {
  wish: Wish;
  /** The wish as one text. */
  asked: string;
  /** Told in words what was found. */
  onFound: (answer: { asked: string; words: string }) => void;
}) {
  const t = useTranslations('dashboard');
  const locale = useLocale();
  const words = useErrorWords();
  const countryName = useCountryName();
  // Where each page before this one ended; going back is going up in this list.
  const [ends, setEnds] = useState<Cursor[]>([]);
  const page = api.dashboard.rows.useQuery(
    { ...wish, cursor: ends.at(-1) ?? null },
    { placeholderData: keepPreviousData },
  );
  // Many rows are drawn piece by piece, so that the page answers meanwhile.
  const rows = useDeferredValue(page.data?.rows);
  const next = page.data?.next;
  const count = page.data?.rows.length;
  const found =
    count === undefined || page.isFetching
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
        caption={t(wish.role === 'seller' ? 'receipts.received' : 'receipts.made')}
        columns={columnsOf(t, {
          role: wish.role,
          hasAction: rows?.some(canRetry) ?? false,
          countryName,
          locale,
        })}
        rows={rows}
        rowKey={(row) => `${row.tx_signature} ${row.part}`}
        empty={emptyWords(t, wish)}
        error={
          page.error
            ? { message: words(failureOf(page.error)), onRetry: () => void page.refetch() }
            : null
        }
      />
      {ends.length > 0 || next ? (
        <nav className={styles['between']} aria-label={t('receipts.pages')}>
          <Button
            size="small"
            disabled={ends.length === 0 || page.isFetching}
            onClick={() => setEnds(ends.slice(0, -1))}
          >
            {t('receipts.newer')}
          </Button>
          <span className="muted small" role="status">
            {t('receipts.page', { page: ends.length + 1 })}
          </span>
          <Button
            size="small"
            disabled={!next || page.isFetching}
            onClick={() => next && setEnds([...ends, next])}
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

/** Where the payment is to be read: its receipt, else the statement that lists it. */
function pageOf({ receipt_id: receipt, statement_id: statement }: RowBody): string {
  return receipt === null ? `/s/${statement ?? ''}` : `/r/${receipt}`;
}

/** Only then is there something to press in the last column. */
function canRetry(row: RowBody): boolean {
  return row.mint_status === 'failed' && row.receipt_id !== null && row.part === 1;
}

function columnsOf(
  t: Texts,
  o: {
    role: Role;
    hasAction: boolean;
    countryName: (code: string | null) => string;
    locale: string;
  },
): Column<RowBody>[] {
  const { role, hasAction } = o;
  return [
    {
      key: 'time',
      head: t('receipts.time'),
      rowHead: true,
      cell: (row) => (
        <>
          <Link href={pageOf(row)} className="numbers" prefetch={false}>
            {formatUtc(row.block_time).replace(' UTC', '')}
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
          `${groupDigits(local.amount, o.locale)} ${local.currency}`
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
      // A note is on a receipt, not on one of its rows.
      cell: (row) =>
        row.receipt_id && row.part === 1 ? (
          <Note receiptId={row.receipt_id} label={row.label} />
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
      cell: (row) => <State row={row} />,
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

function State({ row }: { row: RowBody }) {
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
      {canRetry(row) ? <Retry receiptId={row.receipt_id} /> : null}
    </div>
  );
}
