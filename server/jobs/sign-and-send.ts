import { log } from '@/server/log';
import { findOpenAttempt, noteWaiting } from '@/server/nft/mint-rows';
import { sendMint } from '@/server/nft/send-mint';
import { settleMint } from '@/server/nft/settle-mint';
import { signMint } from '@/server/nft/sign-mint';
import { again, done, type StepInput, type StepResult, stop, waiting, withMint } from './with-mint';

const NO_TREE_RETRY_S = 10;

/**
 * Signs the mint transaction and stores it before the first byte is sent. If an earlier signature
 * may still land, that one is kept: two are never open at once.
 */
export function signAndRecord(input: StepInput): Promise<StepResult> {
  return withMint(input, { skipAt: 'signed', leavesAt: 'signed' }, async (owned) => {
    const { service, mint, fence } = owned;
    const { db, rpc, env, clock } = service;
    const signed = await signMint({
      db,
      rpc,
      mint,
      fence,
      network: env.network,
      minter: env.minter,
      priorityFeeMicroLamports: env.mintPriorityFeeMicroLamports,
      frozenReceipts: env.frozenReceipts,
      now: clock.now(),
    });
    if (signed.state === 'signed') {
      owned.attempt = signed.attempt;
      return done;
    }
    // The steps after this one find the leaf.
    if (signed.state === 'landed') return again;
    if (signed.state === 'lost_lease') return waiting(1);
    log().error({ event: 'mint_not_signed', mintId: mint.id, reason: signed.reason });
    await noteWaiting({ db, id: mint.id, fence, reason: signed.reason, now: clock.now() });
    return waiting(NO_TREE_RETRY_S);
  });
}

const RETRY_S = 2;

/**
 * Sends the stored bytes. The next step finds out whether they landed. A node's refusal is one
 * input of it, because an earlier send may have succeeded.
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

/** A node that lacks blocks seldom has them a moment later. */
const UNDECIDED_RETRY_S = 10;
/** One poll of a signed transaction: well inside the lease, and short enough to let others run. */
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
          db,
          id: mint.id,
          fence,
          now: clock.now(),
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
