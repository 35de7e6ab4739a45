import { lookAgain } from '@/server/nft/look-again';
import { again, done, waiting, type StepResult } from './step-result';
import { withMint, type StepInput } from './with-mint';

const RETRY_S = 3;

/** Looks at the completed mint once more when it is final, and opens it again where it is gone. */
export function closeMint(input: StepInput): Promise<StepResult> {
  return withMint(input, 'closed', async ({ service, mint, fence }) => {
    const { db, rpc, clock } = service;
    const seen = await lookAgain({ db, rpc, id: mint.id, fence, now: clock.now() });
    if (seen.state === 'closed') return done;
    return seen.state === 'reopened' ? again : waiting(RETRY_S);
  });
}
