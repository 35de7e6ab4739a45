import type { ServiceContext } from '@/server/context';
import {
  FREE_MINT_REQUESTED,
  jobs,
  MINT_REQUESTED,
  mintRequested,
} from '@/server/job-server/client';
import { log } from '@/server/log';
import { serviceContext } from '@/server/use-cases/service';
import { publishImage, publishMetadata } from './publish-item';
import { awaitFinality, closeMint, recordMint } from './record-and-close';
import { sendSigned, settleSigned, signAndRecord } from './sign-and-send';
import type { StepInput, StepResult } from './with-mint';
import { noteRun, tracedSteps } from './traced-steps';

/**
 * Mints that all processes together work on at once. Free ones take at most this part of
 * a job server's workers. The embedded one has 14.
 */
export const PAID_IN_FLIGHT = 20;
export const FREE_IN_FLIGHT = 10;
/**
 * Repeats of a step that threw: bugs and a lost database, never a refusal or an upstream that is down,
 * which steps report as results. When they are used up, the sweep queues the mint again.
 */
const STEP_RETRIES = 3;

/** The durable function that mints the NFT of a paid receipt or statement. */
export function mintNft() {
  return mintFrom({ id: 'mint-nft', event: MINT_REQUESTED, limit: PAID_IN_FLIGHT });
}

/** The same for free receipts, in their own queue. */
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

/** Polls of one step before the run ends and leaves the mint to the sweep: about ten minutes. */
const MOST_LOOKS = 60;
/**
 * A confirmed transaction is final 32 blocks later, of 400 ms each. An earlier poll shows nothing,
 * and costs a call of the job server and a question to a node.
 */
const FINAL_AFTER_S = 13;
/** Most mint transactions of one run. Three attempts end a mint before that. */
const MOST_ROUNDS = 5;

type Driver = {
  mintId: string;
  runId: string;
  service: ServiceContext;
  /** Runs a named step once. Its result survives restarts. */
  run: (name: string, work: () => Promise<StepResult>) => Promise<StepResult>;
  sleep: (name: string, seconds: number) => Promise<void>;
};

/**
 * Takes a mint from `requested` to `closed`. Every step reads the row and is safe to run twice; what
 * the job server remembers only saves time.
 */
async function driveMint(driver: Driver): Promise<{ ended: StepResult['state'] | 'later' }> {
  const input: StepInput = {
    service: driver.service,
    mintId: driver.mintId,
    runId: driver.runId,
  };
  const until = (name: string, step: (input: StepInput) => Promise<StepResult>) =>
    repeat(driver, name, () => step(input));

  for (const [name, step] of [
    ['await-finality', awaitFinality],
    ['publish-image', publishImage],
    ['publish-metadata', publishMetadata],
  ] as const) {
    const result = await until(name, step);
    if (result !== 'done') return { ended: result };
  }
  for (let round = 1; round <= MOST_ROUNDS; round += 1) {
    const result = await mintOnce(driver, until, round);
    if (result !== 'again') return { ended: result };
  }
  return { ended: 'later' };
}

type Ended = Exclude<StepResult['state'], 'waiting'> | 'later';
type Until = (name: string, step: (input: StepInput) => Promise<StepResult>) => Promise<Ended>;

async function mintOnce({ sleep }: Driver, until: Until, round: number): Promise<Ended> {
  for (const [name, step] of [
    ['sign', signAndRecord],
    ['send', sendSigned],
    ['settle', settleSigned],
    ['record', recordMint],
  ] as const) {
    const result = await until(`${name}-${round}`, step);
    if (result !== 'done') return result;
  }
  await sleep(`final-${round}`, FINAL_AFTER_S);
  return until(`close-${round}`, closeMint);
}

async function repeat(
  { run, sleep }: Driver,
  name: string,
  work: () => Promise<StepResult>,
): Promise<Ended> {
  for (let look = 1; look <= MOST_LOOKS; look += 1) {
    const result = await run(look === 1 ? name : `${name}/${look}`, work);
    if (result.state !== 'waiting') return result.state;
    await sleep(`${name}/${look}/pause`, growing(result.seconds, look));
  }
  return 'later';
}

/** Pauses grow with each poll, from the step's own wish up to 15 s. */
function growing(seconds: number, look: number): number {
  return Math.min(15, seconds + Math.floor(look / 5));
}
