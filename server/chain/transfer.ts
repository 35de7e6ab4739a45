/** One payment, as the chain proves it. Amounts are base units, parties are wallets, times are UTC. */
export type Transfer = {
  signature: string;
  slot: bigint;
  blockTime: Date;
  finality: 'confirmed' | 'finalized';
  /** Owner of the debited accounts; not always a signer, and not always the fee payer. */
  payer: string;
  /** Owner of the credited accounts. */
  seller: string;
  /** Mint address; null for native SOL. */
  mint: string | null;
  tokenProgram: string | null;
  decimals: number;
  /** What the seller received. */
  amount: bigint;
  /** What the payer gave to the seller, before a Token-2022 transfer fee. */
  amountSent: bigint;
  /** Token-2022 transfer fee that the token program held back on the way to the seller. */
  feeWithheld: bigint;
  /** Other receivers of the same token in the same transaction, largest first. */
  otherLegs: { owner: string; amount: bigint }[];
  feePayer: string;
  memos: string[];
  /** Extra read-only accounts on the transfer instruction (Solana Pay reference keys). */
  references: string[];
};

export type TransferRefusal =
  | 'transaction_not_found'
  | 'transaction_failed'
  | 'not_a_payment'
  | 'several_payers'
  | 'several_sellers'
  | 'owner_unknown'
  | 'unreadable_transaction';

export type TransferReading =
  { ok: true; transfer: Transfer } | { ok: false; code: TransferRefusal; detail: string };

/** A reading that found no transfer, and why. */
export function refuse(
  code: TransferRefusal,
  detail: string,
): Extract<TransferReading, { ok: false }> {
  return { ok: false, code, detail };
}
