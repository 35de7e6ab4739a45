import type { ServiceContext } from '@/server/context';
import { signFiles, type SignedFiles } from '@/server/storage/sign-files';
import { describeReceipt } from './describe-receipt';
import type { Labels } from './labels';
import { besideOf, legsOf } from '@quittance/verify/receipts/receipt-beside';
import type { ReceiptFacts } from './receipt-facts';
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
