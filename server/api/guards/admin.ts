import { ServiceError } from '@/server/errors';
import type { RequestContext } from '../request-context';
import { isSameSecret } from './same-secret';

/**
 * Lets a request through that shows the admin token as `Authorization: Bearer`. Without a token in the
 * settings the paths do not exist: 404. The comparison takes as long for a near miss as for nonsense.
 */
export function requireAdmin(ctx: Pick<RequestContext, 'authorization'> & AdminSettings): void {
  const { adminToken } = ctx.service.env;
  if (adminToken === null)
    throw new ServiceError('path_not_found', 'The service has no such path.');
  const shown = /^Bearer +(\S+)$/i.exec(ctx.authorization?.trim() ?? '')?.[1] ?? '';
  if (isSameSecret(shown, adminToken)) return;
  throw new ServiceError(
    'admin_token_wrong',
    'This path needs the header Authorization: Bearer with the admin token.',
  );
}

type AdminSettings = { service: { env: { adminToken: string | null } } };
