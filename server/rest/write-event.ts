import type { ServiceError } from '@/server/errors';
import { log } from '@/server/log';

/** Refusals of the 503 kind that are the service's own word, not a part that fails. */
const EXPECTED: ReadonlySet<string> = new Set([
  'payments_unavailable',
  'in_progress',
  'payment_not_seen_yet',
  'payment_pending',
  'proof_not_ready',
  'paused',
  'free_mints_unavailable',
]);

/**
 * One wide event for a request, whichever door it came through. What a caller did wrong is `info`; what
 * failed here is `error`, with its cause.
 */
export function writeRequestEvent(o: {
  requestId: string | null;
  route: string;
  method: string;
  status: number;
  durationMs: number | null;
  failure: ServiceError | null;
  rpcPoints?: number;
}): void {
  const event = {
    event: 'request',
    request_id: o.requestId,
    route: o.route,
    method: o.method,
    status: o.status,
    code: o.failure?.code ?? 'ok',
    duration_ms: o.durationMs === null ? null : Math.round(o.durationMs),
    rpc_points: o.rpcPoints ?? 0,
  };
  if (o.status < 500 || EXPECTED.has(event.code)) log().info(event);
  else log().error({ ...event, err: o.failure?.cause });
}
