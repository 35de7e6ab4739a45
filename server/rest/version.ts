import packageJson from '@/package.json';
import type { RequestContext } from '@/server/api/request-context';
import { CONTRACT, json } from './respond';

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
