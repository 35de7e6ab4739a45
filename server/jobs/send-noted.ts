import { setTimeout as sleep } from 'node:timers/promises';
import { log } from '@/server/log';
import { jobs } from './client';
import { TRANSFERS_NOTED } from './events';

/** How long a webhook waits for the job server; a lost event is made up for within a minute. */
const PATIENCE_MS = 2_000;

/** Asks for noted transactions to be looked at now. Never throws. */
export async function sendNoted(): Promise<void> {
  const sent = jobs()
    .send({ name: TRANSFERS_NOTED, data: {} })
    .then(
      () => undefined,
      (error: unknown) => log().warn({ event: 'noted_event_not_sent', err: error }),
    );
  await Promise.race([sent, sleep(PATIENCE_MS, undefined, { ref: false })]);
}
