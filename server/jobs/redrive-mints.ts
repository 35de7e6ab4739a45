import { markRedriven } from '@/server/nft/mark-redriven';
import { mintsToRedrive, type StuckMint } from '@/server/nft/mints-to-redrive';
import type { ServiceContext } from '@/server/context';

/** Mints that one sweep re-queues; the next sweep takes the rest. */
const BATCH = 200;
/** A job server that refused so many events of a sweep would refuse the others too: they are due again soon. */
const MOST_REFUSED = 3;

/**
 * Re-queues the mints that stopped moving. The spacing to the next repeat starts only when the job server took the
 * event: a mint whose event was refused is still due, and so is one whose sweep died between the two. Two sweeps
 * at once send the same event id, which the job server takes once.
 */
export async function redriveMints(
  { db, clock }: Pick<ServiceContext, 'db' | 'clock'>,
  send: (mint: StuckMint, round: number) => Promise<boolean>,
): Promise<{ stuck: number; sent: number }> {
  const stuck = await mintsToRedrive(db, clock.now(), BATCH);
  let [sent, refused] = [0, 0];
  for (const mint of stuck) {
    if (refused === MOST_REFUSED) break;
    if (!(await send(mint, mint.redrives + 1))) refused += 1;
    else if ((await markRedriven(db, mint, clock.now())) !== null) sent += 1;
  }
  return { stuck: stuck.length, sent };
}
