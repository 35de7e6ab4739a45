import type { Transfer } from '@quittance/verify/chain/transfer';
import {
  besideOf,
  legsOf,
  type ReceiptBeside,
  type ReceiptLeg,
} from '@quittance/verify/receipts/receipt-beside';

/**
 * All that a receipt says, from which its metadata and its image are made. Amounts are base units of
 * the token, `usdMicros` is micro-USD, times are instants. Nothing here says where anyone is.
 * server/receipts/receipt-codec.ts turns these facts into a row and back.
 */
export type ReceiptFacts = {
  receiptId: string;
  issuedAt: Date;
  network: 'local' | 'devnet' | 'mainnet';
  /** Origin of the service, without a trailing slash. */
  publicUrl: string;
  txSignature: string;
  slot: bigint;
  /** Position in its block; null if no node returned it. It is in no file of the receipt. */
  blockIndex: number | null;
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
  beside: ReceiptBeside | null;
  usdMicros: bigint;
  valuation: 'par' | 'fx' | 'market';
  valuationSource: string | null;
  serviceType: string;
  transactionType: string | null;
  invoiceId: string | null;
  reportedBy: 'payer' | 'seller';
};

/** The facts from the chain, for a transaction that was read. */
export function factsOfTransfer(transfer: Transfer) {
  return {
    txSignature: transfer.signature,
    slot: transfer.slot,
    blockIndex: transfer.blockIndex ?? null,
    blockTime: transfer.blockTime,
    payer: transfer.payer,
    seller: transfer.seller,
    mint: transfer.mint,
    tokenProgram: transfer.tokenProgram,
    decimals: transfer.decimals,
    amount: transfer.amount,
    amountSent: transfer.amountSent,
    feeWithheld: transfer.feeWithheld,
    otherLegs: legsOf(transfer),
    beside: besideOf(transfer),
  } satisfies Partial<ReceiptFacts>;
}
