import { setTimeout as sleep } from 'node:timers/promises';
import type { Db } from '@/server/db/client';
import { log } from '@/server/log';
import { jobs } from './client';
import { PROBED } from './events';
import { restartProbes, sendProbe } from '@/server/admin/job-probe';

/** Each process asks this often whether a probe is due. */
const LOOK_MS = 20_000;
const PATIENCE_MS = 5_000;

/** From now on sends the job server events that have to come back. */
export async function watchProbe(db: Db): Promise<void> {
  await restartProbes(db);
  const look = () =>
    sendProbe(db, sendOnce).catch((error: unknown) =>
      log().warn({ event: 'probe_not_noted', err: error }),
    );
  setInterval(() => void look(), LOOK_MS).unref();
  void look();
}

/** Throws what the job server has against the event, or that it did not answer. */
export async function sendOnce(): Promise<void> {
  const late = async () => {
    await sleep(PATIENCE_MS, undefined, { ref: false });
    throw new Error('no answer in time');
  };
  await Promise.race([jobs().send({ name: PROBED, data: {} }), late()]);
}
