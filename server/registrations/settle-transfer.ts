import type { Db } from '@/server/db/client';
import type { ValuedTransfer } from '@/server/receipts/value-transfer';

/** A final transaction that gets no automatic receipt, and why. */
export async function skipTransfer(
  db: Db,
  o: { txSignature: string; reason: string; now: Date },
): Promise<void> {
  await db.autoTransfer.updateMany({
    where: { txSignature: o.txSignature, state: 'noted' },
    data: { state: 'skipped', reason: o.reason, updatedAt: o.now },
  });
}

/** A transfer that a fee is due for: its seller sees it and may have its receipt made. */
export async function markFeeDue(db: Db, o: { valued: ValuedTransfer; now: Date }): Promise<void> {
  const { transfer } = o.valued;
  await db.autoTransfer.updateMany({
    where: { txSignature: transfer.signature, state: 'noted' },
    data: { ...factsOf(o.valued), state: 'fee_due', reason: null, updatedAt: o.now },
  });
}

/**
 * A transfer that has its receipt, in the transaction that writes it. False when it is no longer in
 * `from`: somebody else was faster, and the caller rolls back.
 */
export async function markReceipted(
  tx: Db,
  o: {
    valued: ValuedTransfer;
    receiptId: string;
    from: 'noted' | 'fee_due';
    isWaived: boolean;
    now: Date;
  },
): Promise<boolean> {
  const { valued, receiptId, isWaived: waived, now } = o;
  const { count } = await tx.autoTransfer.updateMany({
    where: { txSignature: valued.transfer.signature, state: o.from },
    data: {
      ...factsOf(valued),
      state: 'receipted',
      reason: null,
      receiptId,
      waived,
      updatedAt: now,
    },
  });
  return count === 1;
}

function factsOf({ transfer, token, usdMicros }: ValuedTransfer) {
  const { seller, payer, mint, decimals, amount: amountRaw, slot, blockTime } = transfer;
  return {
    seller,
    payer,
    mint,
    token: token.symbol,
    decimals,
    amountRaw,
    usdMicros,
    slot,
    blockTime,
  };
}
