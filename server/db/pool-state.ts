import type { Pool } from 'pg';
import { trusted } from '@/server/trusted';

/** How the connections of one pool are used. Pools of the same name are added up. */
export type PoolState = {
  name: string;
  /** Connections that it may open. */
  size: number;
  open: number;
  idle: number;
  /** Connections that somebody uses now. */
  lent: number;
  /** Callers that wait for a connection. */
  waiting: number;
  /** Seconds since a pool that has lent all of its connections got one back; 0 while it has any left. */
  stuckS: number;
};

type Watched = { name: string; pool: Pool; lent: number; movedAtMs: number };

/** The server's bundles may each hold a copy of this module, and a pool of their own: all are in one list. */
const PLACE = Symbol.for('quittance.pools');

function watchedPools(): Watched[] {
  const known: unknown = Reflect.get(globalThis, PLACE);
  if (known) return trusted<Watched[]>(known, 'only this function writes there');
  const made: Watched[] = [];
  Reflect.set(globalThis, PLACE, made);
  return made;
}

/** Includes a pool in {@link poolStates} for as long as the process lives. */
export function countPool(name: string, pool: Pool): void {
  const watched = { name, pool, lent: 0, movedAtMs: performance.now() };
  const move = (by: number) => (): void => {
    watched.lent += by;
    watched.movedAtMs = performance.now();
  };
  pool.on('acquire', move(1));
  pool.on('release', move(-1));
  watchedPools().push(watched);
}

/** The state of every watched pool now, one for each name. */
export function poolStates(): PoolState[] {
  const states = new Map<string, PoolState>();
  for (const watched of watchedPools()) {
    const one = stateOf(watched);
    const sum = states.get(one.name);
    states.set(one.name, sum ? add(sum, one) : one);
  }
  return [...states.values()];
}

function stateOf({ name, pool, lent, movedAtMs }: Watched): PoolState {
  const size = pool.options.max ?? 10;
  const { totalCount: open, idleCount: idle, waitingCount: waiting } = pool;
  // Neither a queue nor open connections tell: callers give up, and while the database is away the pool only tries to
  // connect, which a new process would do as well.
  const isExhausted = lent >= size;
  const stuckS = isExhausted ? (performance.now() - movedAtMs) / 1000 : 0;
  return { name, size, open, idle, lent, waiting, stuckS };
}

function add(one: PoolState, other: PoolState): PoolState {
  return {
    name: one.name,
    size: one.size + other.size,
    open: one.open + other.open,
    idle: one.idle + other.idle,
    lent: one.lent + other.lent,
    waiting: one.waiting + other.waiting,
    stuckS: Math.max(one.stuckS, other.stuckS),
  };
}
