'use client';

import { keepPreviousData } from '@tanstack/react-query';
import Link from 'next/link';
import { useDeferredValue, useState } from 'react';
import type { RowBody, RowCursorBody as Cursor } from '@/server/use-cases/dashboard/schemas';
import { api } from '../api';
import { failureOf } from '../api-client';
import { Address } from '../ui/address';
import { Amount, groupDigits } from '../ui/amount';
import { Badge } from '../ui/badge';
import { Button } from '../ui/button';
import { classNames } from '../ui/class-names';
import { Table, type Column } from '../ui/table';
import { formatUtc } from '../ui/time';
import { countryName } from './countries';
import styles from './dashboard.module.css';
import { Note } from './note';
import { Retry } from './retry';
import type { Role } from './role';

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
export function Receipts({ wish }: { wish: Wish }) {
  // Where each page before this one ended; going back is going up in this list.
  const [ends, setEnds] = useState<Cursor[]>([]);
  const page = api.dashboard.rows.useQuery(
    { ...wish, cursor: ends.at(-1) ?? null },
    { placeholderData: keepPreviousData },
  );
  // Many rows are drawn piece by piece, so that the page answers meanwhile.
  const rows = useDeferredValue(page.data?.rows);
  const next = page.data?.next;
  return (
    <>
      <Table
        caption={wish.role === 'seller' ? 'Payments received' : 'Payments made'}
        columns={columnsOf(wish.role, rows?.some(canRetry) ?? false)}
        rows={rows}
        rowKey={(row) => `${row.tx_signature} ${row.part}`}
        empty={emptyWords(wish)}
        error={
          page.error
            ? { message: failureOf(page.error).message, onRetry: () => void page.refetch() }
            : null
        }
      />
      {ends.length > 0 || next ? (
        <nav className={styles['between']} aria-label="Pages of receipts">
          <Button
            size="small"
            disabled={ends.length === 0 || page.isFetching}
            onClick={() => setEnds(ends.slice(0, -1))}
          >
            Newer
          </Button>
          <span className="muted small" role="status">
            Page {ends.length + 1}
          </span>
          <Button
            size="small"
            disabled={!next || page.isFetching}
            onClick={() => next && setEnds([...ends, next])}
          >
            Older
          </Button>
        </nav>
      ) : null}
    </>
  );
}

function emptyWords(wish: Wish): string {
  if (wish.search || wish.token || wish.status)
    return 'No receipt matches. Change the filters above.';
  return wish.role === 'seller'
    ? 'No receipts in this period. Receipts for payments to this wallet appear here.'
    : 'No receipts in this period. Receipts for payments from this wallet appear here.';
}

/** Where the payment is to be read: its receipt, else the statement that lists it. */
function pageOf({ receipt_id: receipt, statement_id: statement }: RowBody): string {
  return receipt === null ? `/s/${statement ?? ''}` : `/r/${receipt}`;
}

/** Only then is there something to press in the last column. */
function canRetry(row: RowBody): boolean {
  return row.mint_status === 'failed' && row.receipt_id !== null && row.part === 1;
}

function columnsOf(role: Role, hasAction: boolean): Column<RowBody>[] {
  return [
    {
      key: 'time',
      head: 'Time (UTC)',
      rowHead: true,
      cell: (row) => (
        <>
          <Link href={pageOf(row)} className="numbers" prefetch={false}>
            {formatUtc(row.block_time).replace(' UTC', '')}
          </Link>
          {row.parts > 1 ? (
            <span className={classNames('muted', styles['part'])}>
              Row {row.part} of {row.parts}
            </span>
          ) : null}
        </>
      ),
    },
    {
      key: 'amount',
      head: 'Amount',
      numeric: true,
      cell: (row) => <Amount value={row.amount} token={row.token} />,
    },
    {
      key: 'worth',
      head: 'Worth',
      numeric: true,
      cell: ({ local, usd_amount: usd }) =>
        local.amount === null ? (
          <span className="muted">{usd === null ? 'no value' : 'no rate'}</span>
        ) : (
          `${groupDigits(local.amount)} ${local.currency}`
        ),
    },
    {
      key: 'who',
      head: role === 'seller' ? 'From' : 'To',
      cell: (row) => (
        <Address value={row.counterparty} label={role === 'seller' ? 'Payer' : 'Seller'} bare />
      ),
    },
    ...(role === 'seller' ? [COUNTRY] : []),
    {
      key: 'for',
      head: 'For',
      wraps: true,
      cell: (row) => (
        <>
          {row.service_type}
          {row.statement_id ? <span className="muted">Statement {row.statement_id}</span> : null}
          {row.invoice_id ? <span className="muted"> · {row.invoice_id}</span> : null}
          {row.automatic ? <span className="muted"> · automatic</span> : null}
        </>
      ),
    },
    {
      key: 'note',
      head: 'Your note',
      // A note is on a receipt, not on one of its rows.
      cell: (row) =>
        row.receipt_id && row.part === 1 ? (
          <Note receiptId={row.receipt_id} label={row.label} />
        ) : (
          <span className="muted">{row.label ?? '–'}</span>
        ),
    },
    { key: 'state', head: 'Proof', action: hasAction, cell: (row) => <State row={row} /> },
  ];
}

const COUNTRY: Column<RowBody> = {
  key: 'country',
  head: 'Country',
  cell: ({ payer_country: code }) =>
    code ? countryName(code) : <span className="muted">Not known</span>,
};

function State({ row }: { row: RowBody }) {
  if (row.receipt_id === null || row.mint_status === null)
    return <span className="muted">No receipt</span>;
  if (row.mint_status === 'completed') return <Badge kind="completed">Proven</Badge>;
  return (
    <div className={styles['state']}>
      <Badge kind={row.mint_status} />
      {row.last_error ? (
        <span className={`muted ${styles['reason']}`}>{row.last_error}</span>
      ) : null}
      {canRetry(row) ? <Retry receiptId={row.receipt_id} /> : null}
    </div>
  );
}
