import type { ServiceContext } from '@/server/context';
import type { Db } from '@/server/db/client';
import { createMint } from '@/server/nft/create-mint';
import { saveItems } from '@/server/storage/save-items';
import { receiptName } from './describe-receipt';
import type { PreparedReceipt } from './prepare-receipt';
import { releaseReservation, type ReservedTransaction } from './reserve-transaction';

/**
 * Writes a prepared receipt, its two storage items and its pending mint inside the caller's
 * transaction, and gives the reservation back. False, with nothing written, when the reservation had
 * passed to someone else: the caller rolls back.
 */
export async function writeReceipt(
  tx: Db,
  service: Pick<ServiceContext, 'clock'>,
  input: {
    prepared: PreparedReceipt;
    reserved: ReservedTransaction;
    paymentSignature: string | null;
    /** Whether nobody asked for it: a registered seller was paid. */
    isAutomatic?: boolean;
  },
): Promise<boolean> {
  const { prepared, reserved } = input;
  const { facts, image, metadata } = prepared;
  if (!(await releaseReservation(tx, reserved))) return false;
  const now = service.clock.now();
  await saveItems(tx, [image, metadata], now);
  await tx.receipt.create({
    data: {
      id: facts.receiptId,
      txSignature: facts.txSignature,
      payer: facts.payer,
      seller: facts.seller,
      mint: facts.mint,
      tokenProgram: facts.tokenProgram,
      token: facts.token,
      dtifCode: facts.dtifCode,
      decimals: facts.decimals,
      amountRaw: facts.amount,
      amountSentRaw: facts.amountSent,
      feeWithheldRaw: facts.feeWithheld,
      otherLegs: facts.otherLegs.map((leg) => ({
        owner: leg.owner,
        amount: leg.amount.toString(),
      })),
      usdMicros: facts.usdMicros,
      valuation: facts.valuation,
      valuationSource: facts.valuationSource,
      slot: facts.slot,
      blockTime: facts.blockTime,
      serviceType: facts.serviceType,
      transactionType: facts.transactionType,
      invoiceId: facts.invoiceId,
      reportedBy: facts.reportedBy,
      metadataItemId: metadata.id,
      imageItemId: image.id,
      automatic: input.isAutomatic ?? false,
      createdAt: facts.issuedAt,
    },
  });
  await createMint(
    tx,
    {
      id: facts.receiptId,
      kind: 'receipt',
      owner: facts.payer,
      name: receiptName(facts),
      metadataUri: prepared.metadataUri,
      metadataItemId: metadata.id,
      imageItemId: image.id,
      collection: null,
      transactionSignature: facts.txSignature,
      paymentSignature: input.paymentSignature,
      paid: input.paymentSignature !== null,
    },
    now,
  );
  return true;
}
