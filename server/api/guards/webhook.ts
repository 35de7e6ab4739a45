import { ServiceError } from '@/server/errors';
import type { RequestContext } from '../request-context';
import { isSameSecret } from './same-secret';

/**
 * Lets a request through that shows the webhook secret in `Authorization`, bare (as Helius sends it) or as
 * Bearer. Without a secret in the settings the path does not exist: 404.
 */
export function requireWebhookSecret(ctx: RequestContext): void {
  const { webhookSecret } = ctx.service.env;
  if (webhookSecret === null)
    throw new ServiceError('path_not_found', 'The service has no such path.');
  const shown = (ctx.authorization ?? '').trim().replace(/^Bearer +/i, '');
  if (isSameSecret(shown, webhookSecret)) return;
  throw new ServiceError(
    'webhook_secret_wrong',
    'This path needs the webhook secret in the header Authorization.',
  );
}
