import { z } from 'zod';
import packageJson from '@/package.json';
import { gatherMetrics } from '@/server/admin/gather-metrics';
import { isSameSecret } from '@/server/api/require-caller';
import type { RequestContext } from '@/server/api/request-context';
import { ServiceError } from '@/server/errors';
import { metrics } from '@/server/metrics';
import type { OperatorContact } from '@/server/operator-contact';
import { COMMON_HEADERS, CONTRACT, json } from './respond';

/** Days until a reader must fetch the file again. RFC 9116 requires less than a year. */
const VALID_DAYS = 180;
const DAY_MS = 86_400_000;

/** The body of /.well-known/security.txt (RFC 9116): how to report a vulnerability. */
export function securityText(o: {
  publicUrl: string;
  operator: OperatorContact;
  now: Date;
}): string {
  const { publicUrl, operator, now } = o;
  const expires = new Date(now.getTime() + VALID_DAYS * DAY_MS);
  expires.setUTCHours(0, 0, 0, 0);
  return [
    `# Operator: ${operator.name}`,
    `Contact: ${operator.contactUri}`,
    `Expires: ${expires.toISOString()}`,
    'Preferred-Languages: en',
    `Canonical: ${publicUrl}/.well-known/security.txt`,
    '',
  ].join('\r\n');
}

/** `commit` if the operator set it. */
export const versionBody = z.object({
  success: z.literal(true),
  version: z.string(),
  commit: z.string().optional(),
  contract: z.number().int(),
});

/**
 * GET /version: the release that runs, the version of the REST interface, and the commit if the operator set it.
 */
export async function serveVersion(request: {
  ctx: { service: { env: Pick<RequestContext['service']['env'], 'commit'> } };
}): Promise<Response> {
  const { commit } = request.ctx.service.env;
  return json(200, {
    success: true,
    version: packageJson.version,
    ...(commit === null ? {} : { commit }),
    contract: CONTRACT,
  });
}

/** Several scrapers at the same time cost one check. */
const KEPT_MS = 2_000;
let gathered: { at: number; done: Promise<void> } | undefined;

/** All metrics as Prometheus text, for callers with METRICS_TOKEN. Without that setting, only on `local`. */
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
  // A caller without the token does not learn that the path exists.
  if (!isRight) throw new ServiceError('path_not_found', 'The service has no such path.');
}
