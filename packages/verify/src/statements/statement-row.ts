/** One leg of a payment as a statement lists it, seen from its wallet. Amounts are base units of the token. */
export type StatementRow = {
  txSignature: string;
  /** Which leg of the transaction; null in a statement of before, which had one row for each transaction. */
  leg: number | null;
  slot: bigint;
  blockTime: Date;
  role: 'payer' | 'seller';
  counterparty: string;
  /** Null for native SOL. */
  mint: string | null;
  token: string;
  dtifCode: string | null;
  decimals: number;
  /** What the receiver of the leg got. */
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
