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
  /** Right-aligned, so that digits line up. */
  numeric?: boolean;
  /** Names the row, and is read before every other cell of it. */
  rowHead?: boolean;
  sortable?: boolean;
  /** Long text that may break, so that the table does not get wider. */
  wraps?: boolean;
  /** Contains controls. It stays in view at the right edge, however wide the table is. */
  action?: boolean;
};

export type Sort = { key: string; descending: boolean };

type TableProps<Row> = {
  /** The subject of the table. Screen readers read it first. It is visible with `showCaption`. */
  caption: string;
  showCaption?: boolean;
  columns: readonly Column<Row>[];
  rows: readonly Row[] | undefined;
  rowKey: (row: Row) => string;
  sort?: Sort;
  onSort?: (sort: Sort) => void;
  loading?: boolean;
  /** The text for a table without rows. */
  empty?: ReactNode;
  error?: { message: ReactNode; onRetry?: () => unknown } | null;
  /** On a phone the cells of a row are a list, so that all of them are in view. */
  stacks?: boolean;
};

/** Rows under a fixed head. A table wider than the window scrolls inside its frame. */
export function Table<Row>(props: TableProps<Row>) {
  const { caption, columns, rows, rowKey, sort, onSort, loading, empty, error } = props;
  const t = useTranslations('ui');
  if (error)
    return (
      <LoadFailed title={t('table.failed')} part={caption} onAgain={error.onRetry}>
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
      {/* Repeats the roles of the elements, because some browsers drop them when a table is not shown as a grid. */}
      <table role="table" className={classNames(styles['table'], props.stacks && styles['stacks'])}>
        <caption className={props.showCaption ? styles['caption'] : 'unseen'}>{caption}</caption>
        <thead role="rowgroup">
          <tr role="row">
            {columns.map((column) => (
              <Head key={column.key} {...{ column, sort, onSort }} />
            ))}
          </tr>
        </thead>
        <tbody role="rowgroup">
          {rows.map((row) => (
            <tr key={rowKey(row)} role="row">
              {columns.map((column) => {
                const names = classNames(
                  column.numeric && styles['numeric'],
                  column.wraps && styles['wraps'],
                  column.action && styles['action'],
                );
                return column.rowHead ? (
                  <th key={column.key} role="rowheader" scope="row" className={names}>
                    {column.cell(row)}
                  </th>
                ) : (
                  <td key={column.key} role="cell" className={names} data-head={column.head}>
                    {props.stacks ? <div>{column.cell(row)}</div> : column.cell(row)}
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
      role="columnheader"
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
          {/* Browsers leave buttons out when they repeat the head on the next sheet. */}
          <span className="print-only">{column.head}</span>
        </>
      ) : (
        column.head
      )}
    </th>
  );
}
