import { Inngest } from 'inngest';
import { z } from 'zod';
import { env } from '@/server/env';
import { log } from '@/server/log';

/**
 * Our own rows record the progress of a run, step by step, so the job server need not learn of each
 * step at once. A run that dies is started again, and skips the steps whose stage was reached.
 */
const BUFFERED = { bufferedSteps: 8, maxInterval: '2s' };

let client: Inngest | undefined;

/** The job client. Unsigned (development) mode exists only where no signing key is set, on `local`. */
export function jobs(): Inngest {
  const settings = env();
  client ??= new Inngest({
    id: settings.serviceName,
    baseUrl: settings.jobsUrl,
    isDev: settings.jobsSigningKey === null,
    checkpointing: settings.jobsCheckpointing && BUFFERED,
    logger: log(),
    ...(settings.jobsEventKey === null ? {} : { eventKey: settings.jobsEventKey }),
    ...(settings.jobsSigningKey === null ? {} : { signingKey: settings.jobsSigningKey }),
  });
  return client;
}

/** Carries no data: the noted transactions are in our own table. */
export const TRANSFERS_NOTED = 'transfers/noted';

/** Carries no data: its only purpose is to come back. */
export const PROBED = 'service/probed';

/** A queue each, so that a flood of free receipts does not delay paid ones. */
export const MINT_REQUESTED = 'mint/requested';
export const FREE_MINT_REQUESTED = 'mint/free.requested';

/** Data of both: ids only. */
export const mintRequested = z.object({ mintId: z.string().regex(/^[0-9A-Z]{12}$/) });
