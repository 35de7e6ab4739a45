import { log } from '@/server/log';
import { findLandedAttempt } from '@/server/nft/find-attempt';
import { noteWaiting } from '@/server/nft/note-waiting';
import { recordLeaf } from '@/server/nft/record-leaf';
import { again, done, waiting, type StepResult } from './step-result';
import { withMint, type StepInput } from './with-mint';

const RETRY_S = 1;

/** Reads the leaf out of the mint transaction and completes the mint. */
export function recordMint(input: StepInput): Promise<StepResult> {
  return withMint(input, { skipAt: 'recorded', leavesAt: 'recorded' }, async (owned) => {
    const { service, mint, fence } = owned;
    const { db, rpc, clock } = service;
    const attempt = owned.attempt ?? (await findLandedAttempt(db, mint.id));
    if (!attempt) return waiting(RETRY_S);
    owned.attempt = attempt;
    const recorded = await recordLeaf({ db, rpc, mint, attempt, fence, now: clock.now() });
    if (recorded.state === 'recorded') return done;
    if (recorded.state === 'reopened') return again;
    if (recorded.state === 'waiting') {
      log().error({ event: 'mint_not_recorded', mintId: mint.id, reason: recorded.reason });
      await noteWaiting({ db, id: mint.id, fence, reason: recorded.reason, now: clock.now() });
    }
    return waiting(RETRY_S);
  });
}
