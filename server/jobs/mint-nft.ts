import { serviceContext } from '@/server/api/service-context';
import { log } from '@/server/log';
import { jobs } from './client';
import { driveMint } from './drive-mint';
import { noteRun } from './note-run';
import { MINT_REQUESTED, mintRequested } from './events';

/** Mints worked on at once by all processes together. */
const MINTS_IN_FLIGHT = 20;
/**
 * Repeats of a step that threw: bugs and a lost database, never a refusal or an upstream that is down,
 * which steps report as results. When they are used up the sweep sends the mint on its way again.
 */
const STEP_RETRIES = 3;

/** The durable function that turns a written receipt into an NFT. */
export function mintNft() {
  return jobs().createFunction(
    {
      id: 'mint-nft',
      triggers: [{ event: MINT_REQUESTED }],
      retries: STEP_RETRIES,
      concurrency: [{ limit: MINTS_IN_FLIGHT }, { limit: 1, key: 'event.data.mintId' }],
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
        run: (name, work) => step.run(name, work),
        sleep: (name, seconds) => step.sleep(name, `${seconds}s`),
      });
      noteRun({ job: 'mint-nft', runId, subject: mintId, since: event.ts, ended: result.ended });
      return result;
    },
  );
}
