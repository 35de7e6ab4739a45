import type { Pool, PoolClient } from 'pg';

/** The server's bundles may each hold a copy of this module: all see the same pool. */
const PLACE = Symbol.for('quittance.pool-watch');

type Watched = {
  pool: Pick<Pool, 'totalCount' | 'idleCount' | 'waitingCount'>;
  /** When a connection was last handed out or came back, by `performance.now()`. */
  movedAt: number;
};

/** How the pool stands. `stuckMs`: how long callers have waited without any connection coming free. */
export type PoolState = { size: number; idle: number; waiting: number; stuckMs: number };

/** Watches a pool from now on. A connection on which a statement had no answer in time is not used again. */
export function watchPool(pool: Pool): void {
  const watched: Watched = { pool, movedAt: performance.now() };
  const move = () => {
    watched.movedAt = performance.now();
  };
  pool.on('acquire', move);
  pool.on('release', (_error, client) => {
    move();
    if (hasUnanswered(client)) void client.end();
  });
  Reflect.set(globalThis, PLACE, watched);
}

/** The state of the watched pool; null before there is one. */
export function poolState(now = performance.now()): PoolState | null {
  const watched = read();
  if (!watched) return null;
  const { pool, movedAt } = watched;
  const { totalCount: size, idleCount: idle, waitingCount: waiting } = pool;
  return { size, idle, waiting, stuckMs: waiting > 0 ? Math.max(0, now - movedAt) : 0 };
}

/** How long the pool has been stuck, in milliseconds; 0 while connections come free or nobody waits. */
export function poolStuckMs(now?: number): number {
  return poolState(now)?.stuckMs ?? 0;
}

function read(): Watched | undefined {
  return Reflect.get(globalThis, PLACE);
}

/** A client gives its connection back only when it is done, so a statement still under way was given up. */
function hasUnanswered(client: PoolClient): boolean {
  const active: unknown = Reflect.get(client, '_activeQuery');
  return active !== null && active !== undefined;
}
