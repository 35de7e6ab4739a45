import { serviceContext } from '@/server/api/service-context';
import { markRedriven, markUnsent } from '@/server/nft/mark-redriven';
import { mintsToRedrive } from '@/server/nft/mints-to-redrive';
import { log } from '@/server/log';
import { placeReceipts } from '@/server/receipts/place-receipts';
import { jobs } from './client';
import { sendMint } from './send-mint';
import { tracedSteps } from './traced-steps';

/** Mints one sweep sends on their way; the next sweep takes the rest. */
const BATCH = 200;

/**
 * Every minute, re-queues stalled mints: the event was lost, the job server was down, or a run gave up.
 * The spacing grows with each repeat, so poison does not flood. Then looks up the positions in their
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
  const { db, clock } = serviceContext();
  const stuck = await mintsToRedrive(db, clock.now(), BATCH);
  let sent = 0;
  for (const mint of stuck) {
    const round = await markRedriven(db, mint, clock.now());
    if (round === null) continue;
    if (await sendMint(mint, round)) {
      sent += 1;
      continue;
    }
    // The others would be refused as well: they, and this one, are due at the next sweep.
    await markUnsent(db, { id: mint.id, round }, clock.now());
    break;
  }
  if (stuck.length > 0) log().warn({ event: 'mints_redriven', stuck: stuck.length, sent });
  return { sent };
}
