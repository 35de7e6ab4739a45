import { z } from 'zod';
import packageJson from '@/package.json';
import type { RequestContext } from '@/server/api/request-context';
import { CONTRACT, json } from './respond';

/** `commit` where the operator told it. */
export const versionBody = z.object({
  success: z.literal(true),
  version: z.string(),
  commit: z.string().optional(),
  contract: z.number().int(),
});

/**
 * GET /version: the release that runs, the version of the REST interface, and the commit where the operator told it.
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
