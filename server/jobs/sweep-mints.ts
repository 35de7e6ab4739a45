import { serviceContext } from '@/server/api/service-context';
import { log } from '@/server/log';
import { placeReceipts } from '@/server/receipts/place-receipts';
import { jobs } from './client';
import { redriveMints } from './redrive-mints';
import { sendMint } from './send-mint';
import { tracedSteps } from './traced-steps';

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
  const { stuck, sent } = await redriveMints(serviceContext(), sendMint);
  if (stuck > 0) log().warn({ event: 'mints_redriven', stuck, sent });
  return { sent };
}
