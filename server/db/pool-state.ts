import type { Pool } from 'pg';
import { trusted } from '@/server/trusted';

/** How the connections of one pool are used. Pools of the same name are added up. */
export type PoolState = {
  name: string;
  /** Connections that it may open. */
  size: number;
  open: number;
  idle: number;
  /** Callers that wait for a connection. */
  waiting: number;
  /** Seconds since the exhausted pool last lent or got back a connection; 0 while it is not exhausted. */
  stuckS: number;
};

type Watched = { name: string; pool: Pool; movedAtMs: number };

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
  const watched = { name, pool, movedAtMs: performance.now() };
  const moved = (): void => void (watched.movedAtMs = performance.now());
  for (const event of ['acquire', 'release', 'remove'] as const) pool.on(event, moved);
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

function stateOf({ name, pool, movedAtMs }: Watched): PoolState {
  const size = pool.options.max ?? 10;
  const { totalCount: open, idleCount: idle, waitingCount: waiting } = pool;
  // A caller that gives up leaves the queue, so a queue alone does not tell.
  const isExhausted = waiting > 0 || open - idle >= size;
  const stuckS = isExhausted ? (performance.now() - movedAtMs) / 1000 : 0;
  return { name, size, open, idle, waiting, stuckS };
}

function add(one: PoolState, other: PoolState): PoolState {
  return {
    name: one.name,
    size: one.size + other.size,
    open: one.open + other.open,
    idle: one.idle + other.idle,
    waiting: one.waiting + other.waiting,
    stuckS: Math.max(one.stuckS, other.stuckS),
  };
}
