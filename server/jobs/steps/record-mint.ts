import { noteWaiting } from '@/server/nft/note-waiting';
import { recordLeaf } from '@/server/nft/record-leaf';
import { again, done, waiting, type StepResult } from './step-result';
import { withMint, type StepInput } from './with-mint';

const RETRY_S = 1;

/** Reads the leaf out of the mint transaction and completes the mint. */
export function recordMint(input: StepInput): Promise<StepResult> {
  return withMint(input, 'recorded', async ({ service, mint, fence }) => {
    const { db, rpc, clock } = service;
    const recorded = await recordLeaf({ db, rpc, id: mint.id, fence, now: clock.now() });
    if (recorded.state === 'recorded') return done;
    if (recorded.state === 'reopened') return again;
    if (recorded.state === 'waiting')
      await noteWaiting({ db, id: mint.id, fence, reason: recorded.reason, now: clock.now() });
    return waiting(RETRY_S);
  });
}
