import type { Transfer } from '@/server/chain/transfer';

/** One payment as a statement lists it, seen from its wallet. Amounts are base units of the token. */
export type StatementRow = {
  txSignature: string;
  slot: bigint;
  blockTime: Date;
  role: 'payer' | 'seller';
  counterparty: string;
  /** Null for native SOL. */
  mint: string | null;
  token: string;
  dtifCode: string | null;
  decimals: number;
  /** What the wallet was paid, or what the one it paid received. */
  amountRaw: bigint;
  amountSentRaw: bigint;
  feeWithheldRaw: bigint;
  usdMicros: bigint;
  valuation: string;
  /** Receipt of the transaction when the statement was made, and what it says. */
  receiptId: string | null;
  labels: RowLabels;
};

export type RowLabels = {
  serviceType: string | null;
  transactionType: string | null;
  invoiceId: string | null;
  metadataUri: string | null;
};

export const NO_LABELS: RowLabels = {
  serviceType: null,
  transactionType: null,
  invoiceId: null,
  metadataUri: null,
};

/** What a transfer was for one wallet. */
export type Part = Pick<
  StatementRow,
  'role' | 'counterparty' | 'amountRaw' | 'amountSentRaw' | 'feeWithheldRaw'
>;

/**
 * The part that a wallet had in a transfer, or null when it had none. A receiver beside the main one (a
 * marketplace's cut) counts as a seller with what it received itself.
 */
export function partOf(transfer: Transfer, wallet: string): Part | null {
  const { payer, seller } = transfer;
  if (wallet === payer || wallet === seller) {
    const isPayer = wallet === payer;
    return {
      role: isPayer ? 'payer' : 'seller',
      counterparty: isPayer ? seller : payer,
      amountRaw: transfer.amount,
      amountSentRaw: transfer.amountSent,
      feeWithheldRaw: transfer.feeWithheld,
    };
  }
  const leg = transfer.otherLegs.find(({ owner }) => owner === wallet);
  if (!leg) return null;
  const { amount } = leg;
  return {
    ...{ role: 'seller', counterparty: payer, amountRaw: amount },
    ...{ amountSentRaw: amount, feeWithheldRaw: 0n },
  };
}
