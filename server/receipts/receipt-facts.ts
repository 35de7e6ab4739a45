import {
  besideFromStored,
  type ReceiptBeside,
  type ReceiptLeg,
  storedLegs,
} from '@quittance/verify/receipts/receipt-beside';
import { tokenByMint } from '@quittance/verify/tokens/token-table';
import { z } from 'zod';
import type { Receipt } from '@/generated/prisma/client';
import type { Env } from '@/server/env';

/**
 * All that a receipt says, from which its metadata and its picture are made. Amounts are base units of
 * the token, `usdMicros` is micro-USD, times are instants. Nothing here says where anyone is.
 */
export type ReceiptFacts = {
  receiptId: string;
  issuedAt: Date;
  network: 'local' | 'devnet' | 'mainnet';
  /** Origin of the service, without a trailing slash. */
  publicUrl: string;
  txSignature: string;
  slot: bigint;
  /** Position in its block; left out where no node told it. It is in no file of the receipt. */
  blockIndex?: number | undefined;
  blockTime: Date;
  payer: string;
  seller: string;
  /** Null for native SOL. */
  mint: string | null;
  tokenProgram: string | null;
  /** Symbol from our own token table, never one that the chain carries. */
  token: string;
  decimals: number;
  dtifCode: string | null;
  groupCode: string | null;
  amount: bigint;
  amountSent: bigint;
  feeWithheld: bigint;
  otherLegs: ReceiptLeg[];
  /** Null for a receipt of the first template, which says nothing of it. */
  beside?: ReceiptBeside | null | undefined;
  usdMicros: bigint;
  valuation: 'par' | 'fx' | 'market';
  valuationSource: string | null;
  serviceType: string;
  transactionType: string | null;
  invoiceId: string | null;
  reportedBy: 'payer' | 'seller';
};

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
