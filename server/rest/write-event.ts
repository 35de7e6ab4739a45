import type { ServiceError } from '@/server/errors';
import { log } from '@/server/log';
import { metrics } from '@/server/metrics';

/** 503 refusals that the service decides, without a failing part. */
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
 * One wide event for a request, for every transport. A caller's mistake is `info`. A failure
 * of the service is `error`, with its cause.
 */
export function writeRequestEvent(o: {
  requestId: string | null;
  route: string;
  method: string;
  status: number;
  durationMs: number | null;
  failure: ServiceError | null;
  rpcPoints?: number;
  /** The subject of the path: a receipt, a transaction or a wallet. */
  subject?: string | null;
  actor?: 'admin' | 'wallet' | 'anyone';
  /** Requests left for the client in its window. */
  limitLeft?: number | null;
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
    limit_left: o.limitLeft ?? null,
    actor: o.actor ?? 'anyone',
    subject: o.subject?.slice(0, 88) ?? null,
  };
  metrics().requests.inc({ route: o.route, method: o.method, status: o.status });
  if (o.status === 503)
    metrics().unavailable.inc({
      code: event.code,
      expected: EXPECTED.has(event.code) ? 'yes' : 'no',
    });
  if (o.rpcPoints) metrics().rpcPoints.inc(o.rpcPoints);
  if (o.status < 500 || EXPECTED.has(event.code)) log().info(event);
  else log().error({ ...event, err: o.failure?.cause });
}
