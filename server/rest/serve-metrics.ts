import { gatherMetrics } from '@/server/admin/gather-metrics';
import { isSameSecret } from '@/server/api/guards/same-secret';
import type { RequestContext } from '@/server/api/request-context';
import { ServiceError } from '@/server/errors';
import { metrics } from '@/server/metrics';
import { COMMON_HEADERS } from './respond';

/** Several scrapers that come together cost one look. */
const KEPT_MS = 2_000;
let gathered: { at: number; done: Promise<void> } | undefined;

/** Prometheus's text of all counts, for who shows METRICS_TOKEN; without one set, on `local` alone. */
export async function serveMetrics(ctx: RequestContext): Promise<Response> {
  requireScraper(ctx);
  const now = performance.now();
  if (!gathered || now - gathered.at > KEPT_MS)
    gathered = { at: now, done: gatherMetrics(ctx.service) };
  await gathered.done;
  const { registry } = metrics();
  return new Response(await registry.metrics(), {
    headers: { ...COMMON_HEADERS, 'Content-Type': registry.contentType },
  });
}

function requireScraper({ service: { env }, authorization }: RequestContext): void {
  if (env.metricsToken === null && env.network === 'local') return;
  const shown = /^Bearer +(\S+)$/i.exec(authorization?.trim() ?? '')?.[1] ?? '';
  const isRight = env.metricsToken !== null && isSameSecret(shown, env.metricsToken);
  // Whoever has no token learns nothing of the path.
  if (!isRight) throw new ServiceError('path_not_found', 'The service has no such path.');
}
