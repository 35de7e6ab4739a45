import { Inngest } from 'inngest';
import { env } from '@/server/env';
import { log } from '@/server/log';

let client: Inngest | undefined;

/** The job client. Unsigned (development) mode exists only where no signing key is set, on `local`. */
export function jobs(): Inngest {
  const settings = env();
  client ??= new Inngest({
    id: settings.serviceName,
    baseUrl: settings.jobsUrl,
    isDev: settings.jobsSigningKey === null,
    checkpointing: settings.jobsCheckpointing,
    logger: log(),
    ...(settings.jobsEventKey === null ? {} : { eventKey: settings.jobsEventKey }),
    ...(settings.jobsSigningKey === null ? {} : { signingKey: settings.jobsSigningKey }),
  });
  return client;
}
