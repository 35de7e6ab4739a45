import { setTimeout as sleep } from 'node:timers/promises';
import { log } from '@/server/log';
import { jobs } from './client';
import { FREE_MINT_REQUESTED, MINT_REQUESTED } from './events';

/** How long a caller waits for the job server to take the event; the sweep makes up for a lost one. */
const PATIENCE_MS = 2_000;

/**
 * Asks for a mint to be driven. Never throws: an event that the job server did not take is sent again
 * by the sweep. It goes into the queue of the paid or of the free. `round` tells repeats apart, so that
 * the server does not take them for duplicates.
 */
export async function sendMint(
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
