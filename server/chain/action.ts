/** What one instruction does to balances and owners, in one form for raw and parsed instructions. */
export type Action =
  | {
      kind: 'token-transfer';
      program: string;
      source: string;
      destination: string;
      authority: string | null;
      mint: string | null;
      amount: bigint;
      extra: string[];
    }
  | { kind: 'mint-to'; account: string; mint: string | null; amount: bigint }
  | { kind: 'burn'; account: string; mint: string | null; amount: bigint }
  /** A token account came to be with this owner, or was shown to have it. */
  | { kind: 'owner-shown'; account: string; owner: string; mint: string | null; opened: boolean }
  /** Null: the new owner is not in the instruction. */
  | { kind: 'owner-changed'; account: string; from: string | null; to: string | null }
  | { kind: 'account-closed'; account: string; destination: string }
  | { kind: 'sol-transfer'; from: string; to: string; lamports: bigint; extra: string[] }
  | { kind: 'account-created'; from: string; to: string; lamports: bigint; bytes: bigint }
  | { kind: 'account-sized'; account: string; bytes: bigint }
  | { kind: 'memo'; text: string };
