import { isNodeSilence } from '@quittance/verify/chain/rpc-errors';
import { lookForDropped } from '@/server/chain/absence';
import { signatureFinality, type SignatureFinality } from '@/server/chain/node-statuses';
import type { Rpc } from '@/server/chain/rpc';
import { noteLongOpen, noteUndecided } from '@/server/chain/undecided-transactions';
import { log } from '@/server/log';
import { lookAgain } from '@/server/nft/look-again';
import {
  advanceStage,
  type DroppedCode,
  findLandedAttempt,
  noteWaiting,
} from '@/server/nft/mint-rows';
import { recordLeaf } from '@/server/nft/read-leaf';
import { failMint } from '@/server/nft/retry-mint';
import { slotOfPayment } from '@/server/payments/find-payment';
import { freePayment } from '@/server/payments/hold-payment';
import { findReceipt } from '@/server/receipts/find-receipt';
import { releaseTransaction } from '@/server/receipts/reserve-transaction';
import {
  again,
  done,
  type OwnedMint,
  type StepInput,
  type StepResult,
  stop,
  waiting,
  withMint,
} from './with-mint';

const RECORD_RETRY_S = 1;

/** Reads the leaf out of the mint transaction and completes the mint. */
export function recordMint(input: StepInput): Promise<StepResult> {
  return withMint(input, { skipAt: 'recorded', leavesAt: 'recorded' }, async (owned) => {
    const { service, mint, fence } = owned;
    const { db, rpc, clock } = service;
    const attempt = owned.attempt ?? (await findLandedAttempt(db, mint.id));
    if (!attempt) return waiting(RECORD_RETRY_S);
    owned.attempt = attempt;
    const recorded = await recordLeaf({ db, rpc, mint, attempt, fence, now: clock.now() });
    if (recorded.state === 'recorded') return done;
    if (recorded.state === 'reopened') return again;
    if (recorded.state === 'waiting') {
      log().error({ event: 'mint_not_recorded', mintId: mint.id, reason: recorded.reason });
      await noteWaiting({ db, id: mint.id, fence, reason: recorded.reason, now: clock.now() });
    }
    return waiting(RECORD_RETRY_S);
  });
}

const RETRY_S = 3;

/** Checks the completed mint again when it is final, and re-opens it if it is gone. */
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

const FINALITY_RETRY_S = 2;
/** A node that lacks blocks seldom has them a moment later. */
const UNDECIDED_RETRY_S = 10;

/** A transaction that is confirmed is final some 13 s later; one that is not by then may be gone. */
const FINAL_WITHIN_MS = 120_000;

/**
 * Waits until the receipted transfer and its fee payment are final: nothing irreversible happens
 * before. One that vanished ends the mint, and frees the transaction and the payment.
 */
export function awaitFinality(input: StepInput): Promise<StepResult> {
  return withMint(input, { skipAt: 'final', leavesAt: 'final' }, async (owned) => {
    const { service, mint, fence } = owned;
    const { db, clock } = service;
    for (const [signature, code] of [
      [mint.transactionSignature, 'transaction_dropped'],
      [mint.paymentSignature, 'payment_dropped'],
    ] as const) {
      if (signature === null) continue;
      const verdict = await lookAt(owned, signature, code);
      if (verdict === 'pending') return waiting(FINALITY_RETRY_S);
      if (verdict === 'undecided') return waiting(UNDECIDED_RETRY_S);
      if (verdict === 'dropped') return drop(owned, code);
    }
    const moved = await advanceStage({ db, id: mint.id, fence, stage: 'final', now: clock.now() });
    return moved === 'done' ? done : waiting(FINALITY_RETRY_S);
  });
}

async function lookAt(
  { service, mint, fence }: OwnedMint,
  signature: string,
  code: DroppedCode,
): Promise<'final' | 'pending' | 'dropped' | 'undecided'> {
  const { rpc, db, clock } = service;
  const finality = await finalityOf(rpc, signature);
  if (finality === 'finalized') return 'final';
  const isSeen = finality !== 'absent' && finality !== 'contested';
  const isYoung = clock.now().getTime() - mint.createdAt.getTime() < FINAL_WITHIN_MS;
  if (isSeen && isYoung) return 'pending';
  // Two nodes saw it succeed before and finally fail now: the fork that we read is gone.
  if (finality === 'failed') return 'dropped';
  const seenSlot =
    code === 'payment_dropped'
      ? await slotOfPayment(db, signature)
      : (await findReceipt(db, mint.id)).receipt.slot;
  const seen = await lookForDropped({ rpc, signature, seenSlot });
  if (seen.state === 'gone') return 'dropped';
  const kind = code === 'payment_dropped' ? 'fee_payment' : 'transfer';
  const one = { signature, kind, subject: mint.id } as const;
  const reason = seen.state === 'undecided' ? seen.reason : 'no two nodes know it as final';
  const noted =
    seen.state === 'undecided'
      ? await noteUndecided(db, { ...one, reason })
      : await noteLongOpen(db, { ...one, reason, since: mint.createdAt, now: clock.now() });
  if (noted === 'young') return 'pending';
  if (noted === 'closed') return 'dropped';
  const said = `undecided: ${kind === 'transfer' ? 'the transfer' : 'its payment'}: ${reason}`;
  await noteWaiting({ db, id: mint.id, fence, reason: said, now: clock.now() });
  return 'undecided';
}

/** A node that is silent or refuses is no obstacle: reading the blocks asks each node separately. */
async function finalityOf(rpc: Rpc, signature: string): Promise<SignatureFinality> {
  try {
    return await signatureFinality({ rpc, signature });
  } catch (error) {
    if (isNodeSilence(error)) return 'absent';
    throw error;
  }
}

async function drop({ service, mint, fence }: OwnedMint, code: DroppedCode): Promise<StepResult> {
  const now = service.clock.now();
  const ended = await service.db.$transaction(async (tx) => {
    // Only the owner of the mint may free its transaction: another worker may be minting by now.
    const failed = await failMint({ db: tx, id: mint.id, fence, code, now });
    if (failed === 'done') {
      await releaseTransaction(tx, mint.id, now);
      await freePayment(tx, { subjectId: mint.id, reason: code, now });
    }
    return failed;
  });
  return ended === 'done' ? stop : waiting(FINALITY_RETRY_S);
}
