import type { ServiceContext } from '@/server/context';
import type { Db } from '@/server/db/client';
import { createMint } from '@/server/nft/mint-rows';
import { saveItems, type SignedFiles, signFiles } from '@/server/storage/stored-items';
import { receiptName } from '@quittance/verify/receipts/write-metadata';
import { describeReceipt } from './describe-receipt';
import { drawReceipt } from './draw-receipt';
import type { Labels } from './labels';
import { rowOfFacts } from './receipt-codec';
import { factsOfTransfer, type ReceiptFacts } from './receipt-facts';
import { releaseReservation, type ReservedTransaction } from './reserve-transaction';
import type { ValuedTransfer } from './value-transfer';

export type ReportedBy = 'payer' | 'seller';

/** A receipt whose image and metadata are signed, so that their addresses are known; not written yet. */
export type PreparedReceipt = SignedFiles & { facts: ReceiptFacts };

/** Draws, describes and signs a receipt. Touches neither network nor database. */
export async function prepareReceipt(
  service: Pick<ServiceContext, 'env' | 'ids' | 'clock' | 'draw'>,
  input: { valued: ValuedTransfer; labels: Labels; reportedBy: ReportedBy },
): Promise<PreparedReceipt> {
  const facts = gatherFacts(service, input);
  const files = await signFiles(service.env, {
    kind: 'receipt',
    id: facts.receiptId,
    image: drawReceipt(facts, service.draw),
    describe: (imageUri) => describeReceipt(facts, imageUri),
  });
  return { facts, ...files };
}

function gatherFacts(
  service: Pick<ServiceContext, 'env' | 'ids' | 'clock'>,
  {
    valued,
    labels,
    reportedBy,
  }: { valued: ValuedTransfer; labels: Labels; reportedBy: ReportedBy },
): ReceiptFacts {
  const { transfer, token } = valued;
  return {
    ...factsOfTransfer(transfer),
    receiptId: service.ids.receiptId(),
    issuedAt: service.clock.now(),
    network: service.env.network,
    publicUrl: service.env.publicUrl,
    token: token.symbol,
    dtifCode: token.dtifCode,
    groupCode: token.groupCode,
    usdMicros: valued.usdMicros,
    valuation: valued.valuation,
    valuationSource: valued.valuationSource,
    ...labels,
    reportedBy,
  };
}

type Order = {
  prepared: PreparedReceipt;
  reserved: ReservedTransaction;
  paymentSignature: string | null;
  /** Whether it is automatic: a registered seller was paid. */
  isAutomatic?: boolean;
  /** Whether the payer proved to be the one who asked for it. */
  isAskedByPayer?: boolean;
};

/**
 * Writes a prepared receipt, its two storage items and its pending mint inside the caller's transaction,
 * and gives the reservation back. False when the reservation had passed to someone else or the transaction has
 * its receipt already: the caller must roll back.
 */
export async function writeReceipt(
  tx: Db,
  { clock }: Pick<ServiceContext, 'clock'>,
  order: Order,
): Promise<boolean> {
  const { prepared, reserved, isAutomatic = false } = order;
  const { facts, image, metadata } = prepared;
  const now = clock.now();
  if (!(await releaseReservation(tx, reserved))) return false;
  const files = { metadataItemId: metadata.id, imageItemId: image.id };
  const { count } = await tx.receipt.createMany({
    data: { ...rowOfFacts(facts), ...files, automatic: isAutomatic },
    skipDuplicates: true,
  });
  if (count === 0) return false;
  await saveItems(tx, [image, metadata], now);
  await createMint(tx, mintOf(order), now);
  return true;
}

function mintOf({
  prepared: { facts, image, metadata, metadataUri },
  paymentSignature,
  isAskedByPayer = false,
}: Order) {
  return {
    id: facts.receiptId,
    kind: 'receipt' as const,
    owner: facts.payer,
    name: receiptName(facts),
    metadataUri,
    metadataItemId: metadata.id,
    imageItemId: image.id,
    transactionSignature: facts.txSignature,
    paymentSignature,
    paid: paymentSignature !== null,
    askedByPayer: isAskedByPayer,
  };
}
