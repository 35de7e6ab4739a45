import pino from 'pino';
import { env } from './env';

let root: pino.Logger | undefined;

/**
 * The one writer of logs: JSON lines, UTC. One wide event per request and per job run; never a body,
 * a key, an address of a client or a jurisdiction.
 */
export function log(): pino.Logger {
  root ??= pino({
    level: env().logLevel,
    base: { service: env().serviceName },
    timestamp: pino.stdTimeFunctions.isoTime,
    redact: { paths: ['secret', '*.secret', 'wire', '*.wire'], censor: '[removed]' },
  });
  return root;
}
