import type { ServiceContext } from '@/server/context';
import { jobs } from '@/server/job-server/client';
import { requestMint } from '@/server/job-server/send-events';
import { log } from '@/server/log';
import { markRedriven, mintsToRedrive, type StuckMint } from '@/server/nft/mint-rows';
import { placeReceipts } from '@/server/receipts/reserve-transaction';
import { serviceContext } from '@/server/use-cases/service';
import { tracedSteps } from './traced-steps';

/**
 * Every minute, re-queues stalled mints: the event was lost, the job server was down, or a run gave up.
 * The interval grows with each repeat, so a mint that always fails does not flood the queue. Then looks up the positions in their
 * blocks that receipts lack.
 */
export function sweepMints() {
  return jobs().createFunction(
    { id: 'sweep-mints', triggers: [{ cron: '* * * * *' }], retries: 0 },
    async ({ step }) => {
      const run = tracedSteps(step, { job: 'sweep-mints' });
      await run('redrive', redriveStuckMints);
      await run('place', async () => ({ placed: await placeReceipts(serviceContext()) }));
    },
  );
}

async function redriveStuckMints(): Promise<{ sent: number }> {
  const { stuck, sent } = await redriveMints(serviceContext(), requestMint);
  if (stuck > 0) log().warn({ event: 'mints_redriven', stuck, sent });
  return { sent };
}

/** Mints that one sweep re-queues; the next sweep takes the rest. */
const BATCH = 200;
/** After this many refused events the job server would refuse the others too. They are due again soon. */
const MOST_REFUSED = 3;

/**
 * Re-queues stalled mints. The interval to the next repeat starts only when the job server accepted
 * the event. A mint whose event was refused is still due, and so is one whose sweep died between
 * the two. Two sweeps at once send the same event id, which the job server accepts once.
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
