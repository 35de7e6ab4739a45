import { log } from '@/server/log';
import { noteWaiting } from '@/server/nft/note-waiting';
import { signMint } from '@/server/nft/sign-mint';
import { again, done, waiting, type StepResult } from './step-result';
import { withMint, type StepInput } from './with-mint';

const NO_TREE_RETRY_S = 10;

/**
 * Signs the mint transaction and stores it before the first byte leaves. Where an earlier signature
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
