import { lookForDropped } from '@/server/chain/is-dropped';
import { signatureFinality } from '@/server/chain/signature-finality';
import { noteUndecided } from '@/server/chain/undecided';
import { advanceStage } from '@/server/nft/advance-stage';
import { failMint } from '@/server/nft/fail-mint';
import type { DroppedCode } from '@/server/nft/mint-state';
import { noteWaiting } from '@/server/nft/note-waiting';
import { slotOfPayment } from '@/server/payments/find-payment';
import { freePayment } from '@/server/payments/note-unused';
import { findReceipt } from '@/server/receipts/find-receipt';
import { releaseTransaction } from '@/server/receipts/release-transaction';
import { done, stop, waiting, type StepResult } from './step-result';
import { withMint, type OwnedMint, type StepInput } from './with-mint';

const RETRY_S = 2;
/** A node that lacks blocks seldom has them a moment later. */
const UNDECIDED_RETRY_S = 10;

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
      if (verdict === 'pending') return waiting(RETRY_S);
      if (verdict === 'undecided') return waiting(UNDECIDED_RETRY_S);
      if (verdict === 'dropped') return drop(owned, code);
    }
    const moved = await advanceStage({ db, id: mint.id, fence, stage: 'final', now: clock.now() });
    return moved === 'done' ? done : waiting(RETRY_S);
  });
}

async function lookAt(
  { service, mint, fence }: OwnedMint,
  signature: string,
  code: DroppedCode,
): Promise<'final' | 'pending' | 'dropped' | 'undecided'> {
  const { rpc, db, clock } = service;
  const finality = await signatureFinality({ rpc, signature });
  if (finality === 'finalized') return 'final';
  if (finality === 'confirmed' || finality === 'processed') return 'pending';
  // Seen as a success before and as a final failure now, by two nodes: the fork we read it from is gone.
  if (finality === 'failed') return 'dropped';
  const seenSlot =
    code === 'payment_dropped'
      ? await slotOfPayment(db, signature)
      : (await findReceipt(db, mint.id)).receipt.slot;
  const seen = await lookForDropped({ rpc, signature, seenSlot });
  if (seen.state !== 'undecided') return seen.state === 'gone' ? 'dropped' : 'pending';
  const { reason } = seen;
  const kind = code === 'payment_dropped' ? 'fee_payment' : 'transfer';
  const noted = await noteUndecided(db, { signature, kind, subject: mint.id, reason });
  if (noted === 'closed') return 'dropped';
  const said = `undecided: ${kind === 'transfer' ? 'the transfer' : 'its payment'}: ${reason}`;
  await noteWaiting({ db, id: mint.id, fence, reason: said, now: clock.now() });
  return 'undecided';
}

async function drop({ service, mint, fence }: OwnedMint, code: DroppedCode): Promise<StepResult> {
  const now = service.clock.now();
  const ended = await service.db.$transaction(async (tx) => {
    // Only who still owns the mint may free its transaction: another worker may be minting by now.
    const failed = await failMint({ db: tx, id: mint.id, fence, code, now });
    if (failed === 'done') {
      await releaseTransaction(tx, mint.id, now);
      await freePayment(tx, { subjectId: mint.id, reason: code, now });
    }
    return failed;
  });
  return ended === 'done' ? stop : waiting(RETRY_S);
}
