import { serviceContext } from '@/server/api/service-context';
import { poolStates } from '@/server/db/pool-state';
import { isDraining } from '@/server/stopping';
import { AFFECTED, lookAtDatabase, lookAtParts, type PartState } from './health-parts';
import { json } from './respond';

/** A load balancer asks often; the parts are looked at once in this time. */
const CACHED_MS = 1_000;
/** A pool without any progress for so long does not come back by itself: the process should be replaced. */
const MOST_STUCK_S = 60;

/** A pool that got no connection back for so long is no crowd that moves on. */
const CROWDED_S = 3;

type Kept<T> = { at: number; answer: Promise<T> };
let parts: Kept<Record<string, PartState>> | undefined;
let database: Kept<PartState> | undefined;

/**
 * `GET /health`: everything the service works with. 200 with `status` `ok`, or `degraded` with the parts that are
 * missing and what that affects; 503 only where `/health/ready` is 503 as well.
 */
export async function serveHealth(): Promise<Response> {
  const service = serviceContext();
  parts = keep(parts, () => lookAtParts(service));
  const states = await parts.answer;
  const degraded = Object.keys(states).filter((part) => states[part]?.ok === false);
  const isReady = states['database']?.ok === true && !isDraining();
  return json(isReady ? 200 : 503, {
    success: isReady,
    status: degraded.length === 0 ? 'ok' : 'degraded',
    ready: isReady,
    network: service.env.network,
    degraded,
    affected: Object.fromEntries(degraded.map((part) => [part, AFFECTED[part] ?? ''])),
    parts: states,
  });
}

/**
 * `GET /health/ready`: whether to send requests to this process, as a load balancer asks. It is not while it is
 * stopping, or while it does not reach its database. What all processes share is no reason: a node, storage or
 * job server that is away would take every process out, and with them all that still works.
 */
export async function serveReady(): Promise<Response> {
  if (isDraining()) return notReady('stopping');
  const service = serviceContext();
  database = keep(database, () => lookAtDatabase(service));
  const state = await database.answer;
  if (!state.ok && !isCrowded()) return notReady(`database ${state.detail}`);
  // Under way for up to seconds: a stop may have been asked for meanwhile.
  if (isDraining()) return notReady('stopping');
  return json(200, { success: true, ready: true });
}

/**
 * `GET /health/live`: whether this process should be let live. Not when its database connections have been stuck
 * for a minute, which a new process cures and waiting does not.
 */
export async function serveLive(): Promise<Response> {
  const stuckS = poolStates().find(({ name }) => name === 'main')?.stuckS ?? 0;
  if (stuckS < MOST_STUCK_S) return json(200, { success: true });
  const reason = `no database connection came free for ${Math.round(stuckS)} s`;
  return json(503, { success: false, reason });
}

/**
 * Whether the look itself only waits its turn: all connections are lent and come back. The crowd is served late, and
 * without this process the others would have it as well.
 */
function isCrowded(): boolean {
  const pool = poolStates().find(({ name }) => name === 'main');
  return (
    pool !== undefined && pool.waiting > 0 && pool.lent >= pool.size && pool.stuckS < CROWDED_S
  );
}

const notReady = (reason: string): Response => json(503, { success: false, ready: false, reason });

function keep<T>(known: Kept<T> | undefined, look: () => Promise<T>): Kept<T> {
  const now = performance.now();
  return known && now - known.at < CACHED_MS ? known : { at: now, answer: look() };
}
