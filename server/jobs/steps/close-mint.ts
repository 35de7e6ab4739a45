import { findLandedAttempt } from '@/server/nft/find-attempt';
import { lookAgain } from '@/server/nft/look-again';
import { again, done, waiting, type StepResult } from './step-result';
import { withMint, type StepInput } from './with-mint';

const RETRY_S = 3;

/** Looks at the completed mint once more when it is final, and opens it again where it is gone. */
export function closeMint(input: StepInput): Promise<StepResult> {
  return withMint(input, { skipAt: 'closed', leavesAt: 'closed' }, async (owned) => {
    const { service, mint, fence } = owned;
    const { db, rpc, clock } = service;
    const attempt = owned.attempt ?? (await findLandedAttempt(db, mint.id));
    if (!attempt) return waiting(RETRY_S);
    const seen = await lookAgain({ db, rpc, mint, attempt, fence, now: clock.now() });
    if (seen.state === 'closed') return done;
    return seen.state === 'reopened' ? again : waiting(RETRY_S);
  });
}
