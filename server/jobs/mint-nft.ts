import { serviceContext } from '@/server/api/service-context';
import { log } from '@/server/log';
import { jobs } from './client';
import { driveMint } from './drive-mint';
import { noteRun } from './note-run';
import { FREE_MINT_REQUESTED, MINT_REQUESTED, mintRequested } from './events';
import { tracedSteps } from './traced-steps';

/**
 * Mints worked on at once by all processes together. Those that nobody paid for take at most this part of
 * a job server's hands, of which the embedded one has 14.
 */
const PAID_IN_FLIGHT = 20;
export const FREE_IN_FLIGHT = 10;
/**
 * Repeats of a step that threw: bugs and a lost database, never a refusal or an upstream that is down,
 * which steps report as results. When they are used up the sweep sends the mint on its way again.
 */
const STEP_RETRIES = 3;

/** The durable function that turns a receipt or statement that was paid for into an NFT. */
export function mintNft() {
  return mintFrom({ id: 'mint-nft', event: MINT_REQUESTED, limit: PAID_IN_FLIGHT });
}

/** The same for receipts that cost nothing: a queue of their own. */
export function mintFreeNft() {
  return mintFrom({ id: 'mint-free-nft', event: FREE_MINT_REQUESTED, limit: FREE_IN_FLIGHT });
}

function mintFrom({ id, event: name, limit }: { id: string; event: string; limit: number }) {
  return jobs().createFunction(
    {
      id,
      triggers: [{ event: name }],
      retries: STEP_RETRIES,
      concurrency: [{ limit }, { limit: 1, key: 'event.data.mintId' }],
      onFailure: async ({ event, error }) => {
        const original = mintRequested.safeParse(event.data.event.data);
        log().error({
          event: 'mint_run_failed',
          mintId: original.data?.mintId ?? null,
          err: error,
        });
      },
    },
    async ({ event, step, runId }) => {
      const { mintId } = mintRequested.parse(event.data);
      const result = await driveMint({
        mintId,
        runId,
        service: serviceContext(),
        run: tracedSteps(step, { job: id, subject: mintId }),
        sleep: (name, seconds) => step.sleep(name, `${seconds}s`),
      });
      noteRun({ job: id, runId, subject: mintId, since: event.ts, ended: result.ended });
      return result;
    },
  );
}
