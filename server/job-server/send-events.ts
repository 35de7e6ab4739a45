import { setTimeout as sleep } from 'node:timers/promises';
import { restartProbes, sendProbe } from '@/server/admin/job-probe';
import type { Db } from '@/server/db/client';
import { log } from '@/server/log';
import { FREE_MINT_REQUESTED, jobs, MINT_REQUESTED, PROBED, TRANSFERS_NOTED } from './client';

/** How long a caller waits for the job server to accept the event. The sweep makes up for a lost one. */
const PATIENCE_MS = 2_000;

/**
 * Queues a mint. Never throws: an event that the job server did not accept is sent again
 * by the sweep. It goes into the queue of the paid or of the free. `round` distinguishes repeats, so that
 * the server does not take them for duplicates.
 */
export async function requestMint(
  { id: mintId, paid }: { id: string; paid: boolean },
  round: number,
): Promise<boolean> {
  const name = paid ? MINT_REQUESTED : FREE_MINT_REQUESTED;
  const sent = jobs()
    .send({ id: `${mintId}:${round}`, name, data: { mintId } })
    .then(
      () => true,
      (error: unknown) => {
        log().warn({ event: 'mint_event_not_sent', mintId, err: error });
        return false;
      },
    );
  return Promise.race([sent, sleep(PATIENCE_MS, false, { ref: false })]);
}

/** Requests that noted transactions are handled now. Never throws. */
export async function sendNoted(): Promise<void> {
  const sent = jobs()
    .send({ name: TRANSFERS_NOTED, data: {} })
    .then(
      () => undefined,
      (error: unknown) => log().warn({ event: 'noted_event_not_sent', err: error }),
    );
  await Promise.race([sent, sleep(PATIENCE_MS, undefined, { ref: false })]);
}

/** Each process asks this often whether a probe is due. */
const LOOK_MS = 20_000;
const PROBE_PATIENCE_MS = 5_000;

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

/** Throws the refusal of the job server, or that it did not answer. */
export async function sendOnce(): Promise<void> {
  const late = async () => {
    await sleep(PROBE_PATIENCE_MS, undefined, { ref: false });
    throw new Error('no answer in time');
  };
  await Promise.race([jobs().send({ name: PROBED, data: {} }), late()]);
}
