import { findOpenAttempt } from '@/server/nft/find-attempt';
import { noteWaiting } from '@/server/nft/note-waiting';
import { settleMint } from '@/server/nft/settle-mint';
import { again, done, stop, waiting, type StepResult } from './step-result';
import { withMint, type StepInput } from './with-mint';

const RETRY_S = 2;
/** A node that lacks blocks seldom has them a moment later. */
const UNDECIDED_RETRY_S = 10;
/** A look at a signed transaction; well inside the lease, and short enough to give way to others. */
const BUDGET_MS = 5_000;

/** Finds out what became of the signed transaction; only what is known for certain ends it. */
export function settleSigned(input: StepInput): Promise<StepResult> {
  return withMint(input, { skipAt: 'landed', leavesAt: 'landed' }, async (owned) => {
    const { service, mint, fence } = owned;
    const { db, rpc, clock } = service;
    const attempt = owned.attempt ?? (await findOpenAttempt(db, mint.id));
    if (!attempt) return again;
    const settled = await settleMint({ db, rpc, attempt, fence, budgetMs: BUDGET_MS, clock });
    switch (settled.state) {
      case 'landed':
        owned.attempt = { ...attempt, outcome: 'landed' };
        return done;
      case 'failed':
      case 'expired':
        return settled.status === 'failed' ? stop : again;
      case 'undecided':
        await noteWaiting({
          ...{ db, id: mint.id, fence, now: clock.now() },
          reason: `undecided: ${settled.reason}`,
        });
        return waiting(UNDECIDED_RETRY_S);
      case 'waiting':
        await noteWaiting({ db, id: mint.id, fence, reason: settled.reason, now: clock.now() });
        return waiting(RETRY_S);
      case 'in_flight':
      case 'lost_lease':
        return waiting(1);
    }
  });
}
