import { awaitsRebuild } from '@/server/admin/awaits-rebuild';
import { ServiceError } from '@/server/errors';
import type { Pausable } from '@/server/operation-settings';
import type { RequestContext } from '../request-context';

/** What a pause stops, by procedure. Reads and jobs have no entry: they go on. */
const PAUSED_BY: Readonly<Record<string, Pausable>> = {
  'receipts.create': 'mint',
  'statements.create': 'statement',
};

const RETRY_AFTER_S = 60;

/** Refuses a procedure that the operator has paused, with the operator's text. */
export async function refusePaused(
  ctx: Pick<RequestContext, 'service'>,
  path: string,
): Promise<void> {
  const { pause, pauseText } = ctx.service.env;
  const part = PAUSED_BY[path];
  if (part === undefined) return;
  if (await awaitsRebuild(ctx.service))
    throw new ServiceError(
      'paused',
      'The service was restored from a backup and reads from the chain what came later. Reading goes on; send the same request again later.',
      { retryAfterS: RETRY_AFTER_S },
    );
  if (pause.has(part)) throw new ServiceError('paused', pauseText, { retryAfterS: RETRY_AFTER_S });
}
