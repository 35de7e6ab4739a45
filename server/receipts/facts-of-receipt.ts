import { z } from 'zod';
import type { Receipt } from '@/generated/prisma/client';
import type { Env } from '@/server/env';
import { tokenByMint } from '@quittance/verify/tokens/token-table';
import { besideFromStored, storedLegs } from '@quittance/verify/receipts/receipt-beside';
import type { ReceiptFacts } from './receipt-facts';

const valuation = z.enum(['par', 'fx', 'market']);

/** What a written receipt says, as it was when its picture and metadata were made. */
export function factsOfReceipt(
  receipt: Receipt,
  env: Pick<Env, 'network' | 'publicUrl'>,
): ReceiptFacts {
  return {
    receiptId: receipt.id,
    issuedAt: receipt.createdAt,
    network: env.network,
    publicUrl: env.publicUrl,
    txSignature: receipt.txSignature,
    slot: receipt.slot,
    blockTime: receipt.blockTime,
    payer: receipt.payer,
    seller: receipt.seller,
    mint: receipt.mint,
    tokenProgram: receipt.tokenProgram,
    token: receipt.token,
    decimals: receipt.decimals,
    dtifCode: receipt.dtifCode,
    groupCode: tokenByMint(receipt.mint, env.network)?.groupCode ?? null,
    amount: receipt.amountRaw,
    amountSent: receipt.amountSentRaw,
    feeWithheld: receipt.feeWithheldRaw,
    otherLegs: storedLegs.parse(receipt.otherLegs),
    beside: besideFromStored(receipt.beside),
    usdMicros: receipt.usdMicros,
    valuation: valuation.parse(receipt.valuation),
    valuationSource: receipt.valuationSource,
    serviceType: receipt.serviceType,
    transactionType: receipt.transactionType,
    invoiceId: receipt.invoiceId,
    reportedBy: receipt.reportedBy === 'seller' ? 'seller' : 'payer',
  };
}
