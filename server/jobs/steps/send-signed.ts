import { log } from '@/server/log';
import { findOpenAttempt } from '@/server/nft/find-attempt';
import { noteWaiting } from '@/server/nft/note-waiting';
import { sendMint } from '@/server/nft/send-mint';
import { done, waiting, type StepResult } from './step-result';
import { withMint, type StepInput } from './with-mint';

const RETRY_S = 2;

/**
 * Sends the stored bytes. Whether they landed is the next step's question; a node's refusal is part of
 * the answer to it, since an earlier send may have got through.
 */
export function sendSigned(input: StepInput): Promise<StepResult> {
  return withMint(input, { skipAt: 'landed', leavesAt: 'signed' }, async (owned) => {
    const { service, mint, fence } = owned;
    const { db, rpc, clock } = service;
    const attempt = owned.attempt ?? (await findOpenAttempt(db, mint.id));
    // Settled by an earlier run: the next step says what is to be done.
    if (!attempt) return done;
    const sent = await sendMint({ db, rpc, attempt, now: clock.now() });
    if (sent.state !== 'waiting') {
      owned.attempt = { ...attempt, sentAt: attempt.sentAt ?? clock.now() };
      return done;
    }
    log().error({ event: 'mint_not_sent', mintId: mint.id, reason: sent.reason });
    await noteWaiting({ db, id: mint.id, fence, reason: sent.reason, now: clock.now() });
    return waiting(RETRY_S);
  });
}
