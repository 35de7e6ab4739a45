import {
  besideOf,
  besideToStored,
  legsOf,
  legsToStored,
} from '@quittance/verify/receipts/receipt-beside';
import { Prisma } from '@/generated/prisma/client';
import type { ServiceContext } from '@/server/context';
import type { Db } from '@/server/db/client';
import { insertInto } from '@/server/db/insert-into';
import { mintToCreate } from '@/server/nft/mint-rows';
import { itemsToSave, type SignedFiles, signFiles } from '@/server/storage/stored-items';
import { describeReceipt, receiptName } from './describe-receipt';
import type { Labels } from './labels';
import type { ReceiptFacts } from './receipt-facts';
import { reservationToRelease, type ReservedTransaction } from './reserve-transaction';
import type { ValuedTransfer } from './value-transfer';

export type ReportedBy = 'payer' | 'seller';

/** A receipt whose picture and metadata are signed, so that their addresses are known; not written yet. */
export type PreparedReceipt = SignedFiles & { facts: ReceiptFacts };

/** Draws, describes and signs a receipt. Touches neither network nor database. */
export async function prepareReceipt(
  service: Pick<ServiceContext, 'env' | 'ids' | 'clock' | 'drawReceipt'>,
  input: { valued: ValuedTransfer; labels: Labels; reportedBy: ReportedBy },
): Promise<PreparedReceipt> {
  const facts = gatherFacts(service, input);
  const files = signFiles(service.env, {
    kind: 'receipt',
    id: facts.receiptId,
    image: await service.drawReceipt(facts),
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
    receiptId: service.ids.receiptId(),
    issuedAt: service.clock.now(),
    network: service.env.network,
    publicUrl: service.env.publicUrl,
    txSignature: transfer.signature,
    slot: transfer.slot,
    blockIndex: transfer.blockIndex,
    blockTime: transfer.blockTime,
    payer: transfer.payer,
    seller: transfer.seller,
    mint: transfer.mint,
    tokenProgram: transfer.tokenProgram,
    token: token.symbol,
    decimals: transfer.decimals,
    dtifCode: token.dtifCode,
    groupCode: token.groupCode,
    amount: transfer.amount,
    amountSent: transfer.amountSent,
    feeWithheld: transfer.feeWithheld,
    otherLegs: legsOf(transfer),
    beside: besideOf(transfer),
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
  /** Whether nobody asked for it: a registered seller was paid. */
  isAutomatic?: boolean;
  /** What another module writes about the receipt. */
  beside?: Prisma.Sql | null;
};

/**
 * Writes a prepared receipt, its two storage items and its pending mint inside the caller's transaction,
 * and gives the reservation back: all in one statement. False when the reservation had passed to someone
 * else or the transaction has its receipt already: the caller must roll back.
 */
export async function writeReceipt(
  tx: Db,
  { clock }: Pick<ServiceContext, 'clock'>,
  order: Order,
): Promise<boolean> {
  const { prepared, reserved, beside } = order;
  const now = clock.now();
  const [row] = await tx.$queryRaw<{ isWritten: boolean }[]>(Prisma.sql`
    with freed as (${reservationToRelease(reserved)}),
      items as (${itemsToSave([prepared.image, prepared.metadata], now)}),
      receipt as (${receiptToWrite(order)} on conflict do nothing returning id),
      mint as (${mintToCreate(mintOf(order), now)})
      ${beside ? Prisma.sql`, beside as (${beside})` : Prisma.empty}
    select exists (select 1 from freed) and exists (select 1 from receipt) as "isWritten"`);
  return row?.isWritten ?? false;
}

function receiptToWrite({ prepared, isAutomatic = false }: Order): Prisma.Sql {
  const { facts, image, metadata } = prepared;
  return insertInto('receipts', [
    {
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
      otherLegs: legsToStored(facts.otherLegs),
      ...(facts.beside ? { beside: besideToStored(facts.beside) } : {}),
      usdMicros: facts.usdMicros,
      valuation: facts.valuation,
      valuationSource: facts.valuationSource,
      slot: facts.slot,
      blockIndex: facts.blockIndex,
      blockTime: facts.blockTime,
      serviceType: facts.serviceType,
      transactionType: facts.transactionType,
      invoiceId: facts.invoiceId,
      reportedBy: facts.reportedBy,
      metadataItemId: metadata.id,
      imageItemId: image.id,
      automatic: isAutomatic,
      createdAt: facts.issuedAt,
    },
  ]);
}

function mintOf({ prepared: { facts, image, metadata, metadataUri }, paymentSignature }: Order) {
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
  };
}
