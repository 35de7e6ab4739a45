import { expect } from 'vitest';

/**
 * Waits until one statement of a database waits for a lock of this kind. `query` runs on another
 * connection.
 */
export function untilLockWaits(
  query: (sql: string) => Promise<unknown[]>,
  kind: 'advisory' | 'relation' = 'relation',
): Promise<void> {
  return expect
    .poll(
      () =>
        query(`select count(*)::int from pg_locks where not granted and locktype = '${kind}'
          and database = (select oid from pg_database where datname = current_database())`),
      { interval: 20 },
    )
    .toEqual([{ count: 1 }]);
}
