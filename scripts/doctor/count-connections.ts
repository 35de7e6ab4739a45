import { mostConnections } from '@/server/db/client';

/** A rolling restart runs two processes at once. */
const FEWEST_PROCESSES = 2;

/**
 * How many processes of the service fit PostgreSQL's connections, if each opens its maximum. Throws
 * if a rolling restart does not fit.
 */
export function countConnections(o: {
  /** `max_connections` of the server. */
  most: number;
  /** `superuser_reserved_connections`. */
  reserved: number;
  databasePool: number;
}): string {
  const each = mostConnections(o.databasePool);
  const processes = Math.floor((o.most - o.reserved) / each);
  const counted = `max_connections is ${o.most}, ${o.reserved} of them for superusers; a process opens at most ${each} (DATABASE_POOL is ${o.databasePool})`;
  if (processes < FEWEST_PROCESSES)
    throw new Error(
      `${counted}: a rolling restart runs ${FEWEST_PROCESSES} processes, and the connections are enough for ${Math.max(processes, 0)}. Lower DATABASE_POOL, or raise max_connections`,
    );
  return `${counted}: enough for ${processes} processes`;
}
