import type { ServiceContext } from '@/server/context';
import { itemUri } from '@/server/storage/item-uri';
import { signItem, type SignedItem } from '@/server/storage/sign-item';
import { describeReceipt } from './describe-receipt';
import { drawReceipt } from './draw-receipt';
import type { Labels } from './labels';
import type { ReceiptFacts } from './receipt-facts';
import type { ValuedTransfer } from './value-transfer';

export type ReportedBy = 'payer' | 'seller';

/** A receipt whose picture and metadata are signed, so that their addresses are known; not written yet. */
export type PreparedReceipt = {
  facts: ReceiptFacts;
  image: SignedItem;
  metadata: SignedItem;
  metadataUri: string;
};

/** Draws, describes and signs a receipt. Touches neither network nor database. */
export async function prepareReceipt(
  service: Pick<ServiceContext, 'env' | 'ids' | 'clock'>,
  input: { valued: ValuedTransfer; labels: Labels; reportedBy: ReportedBy },
): Promise<PreparedReceipt> {
  const facts = gatherFacts(service, input);
  const { env } = service;
  const sign = (data: Uint8Array, contentType: string, part: 'image' | 'metadata') =>
    signItem({
      key: env.storage,
      data,
      contentType,
      tags: [
        { name: 'App-Name', value: env.serviceName },
        { name: 'Receipt-Id', value: facts.receiptId },
      ],
      anchorSeed: `receipt:${facts.receiptId}:${part}:v1`,
    });
  const image = sign(await drawReceipt(facts), 'image/png', 'image');
  const metadata = sign(
    describeReceipt(facts, itemUri(image.id, env.storageGatewayUrl)),
    'application/json',
    'metadata',
  );
  return { facts, image, metadata, metadataUri: itemUri(metadata.id, env.storageGatewayUrl) };
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
    otherLegs: transfer.otherLegs,
    usdMicros: valued.usdMicros,
    valuation: valued.valuation,
    valuationSource: valued.valuationSource,
    ...labels,
    reportedBy,
  };
}
