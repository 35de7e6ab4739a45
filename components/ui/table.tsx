'use client';

import { useTranslations } from 'next-intl';
import type { ReactNode } from 'react';
import { classNames } from './class-names';
import { LoadFailed } from './load-failed';
import { Sign } from './sign';
import { Skeleton } from './skeleton';
import styles from './table.module.css';

export type Column<Row> = {
  key: string;
  head: string;
  cell: (row: Row) => ReactNode;
  /** Right-aligned, digits below digits. */
  numeric?: boolean;
  /** Names the row: read before every other cell of it. */
  rowHead?: boolean;
  sortable?: boolean;
  /** Long text that may break, instead of making the table wider. */
  wraps?: boolean;
  /** Holds what can be pressed: it stays in view at the right edge, however wide the table is. */
  action?: boolean;
};

export type Sort = { key: string; descending: boolean };

type TableProps<Row> = {
  /** What the table shows; read first by screen readers, seen with `showCaption`. */
  caption: string;
  showCaption?: boolean;
  columns: readonly Column<Row>[];
  rows: readonly Row[] | undefined;
  rowKey: (row: Row) => string;
  sort?: Sort;
  onSort?: (sort: Sort) => void;
  loading?: boolean;
  /** What to say when there is no row. */
  empty?: ReactNode;
  error?: { message: ReactNode; onRetry?: () => void } | null;
};

/** Rows under a head that stays. What is wider than the window scrolls inside its frame. */
export function Table<Row>(props: TableProps<Row>) {
  const { caption, columns, rows, rowKey, sort, onSort, loading, empty, error } = props;
  const t = useTranslations('ui');
  if (error)
    return (
      <LoadFailed title={t('table.failed')} onAgain={error.onRetry}>
        {error.message}
      </LoadFailed>
    );
  if (loading || !rows)
    return (
      <div className={classNames(styles['frame'], styles['message'])}>
        <Skeleton lines={5} label={t('table.loading', { caption })} />
      </div>
    );
  if (rows.length === 0)
    return (
      <div className={classNames(styles['frame'], styles['message'], 'muted')}>
        {empty ?? t('table.empty')}
      </div>
    );
  return (
    // A frame that scrolls must be reachable by keyboard.
    <div className={styles['frame']} role="region" aria-label={caption} tabIndex={0}>
      <table className={styles['table']}>
        <caption className={props.showCaption ? styles['caption'] : 'unseen'}>{caption}</caption>
        <thead>
          <tr>
            {columns.map((column) => (
              <Head key={column.key} {...{ column, sort, onSort }} />
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={rowKey(row)}>
              {columns.map((column) => {
                const names = classNames(
                  column.numeric && styles['numeric'],
                  column.wraps && styles['wraps'],
                  column.action && styles['action'],
                );
                return column.rowHead ? (
                  <th key={column.key} scope="row" className={names}>
                    {column.cell(row)}
                  </th>
                ) : (
                  <td key={column.key} className={names}>
                    {column.cell(row)}
                  </td>
                );
              })}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function Head<Row>(o: {
  column: Column<Row>;
  sort: Sort | undefined;
  onSort: ((sort: Sort) => void) | undefined;
}) {
  const { column, sort, onSort } = o;
  const isSorted = sort?.key === column.key;
  const order = isSorted ? (sort.descending ? 'descending' : 'ascending') : 'none';
  const canSort = column.sortable && onSort;
  return (
    <th
      scope="col"
      className={classNames(column.numeric && styles['numeric'], column.action && styles['action'])}
      aria-sort={canSort ? order : undefined}
    >
      {canSort ? (
        <>
          <button
            type="button"
            className={classNames(styles['sort'], 'screen-only')}
            onClick={() => onSort({ key: column.key, descending: isSorted && !sort.descending })}
          >
            {column.head}
            {order === 'none' ? null : <Sign name={order} size={12} />}
          </button>
          {/* Browsers leave buttons out where they repeat the head on the next sheet. */}
          <span className="print-only">{column.head}</span>
        </>
      ) : (
        column.head
      )}
    </th>
  );
}
