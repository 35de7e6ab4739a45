/**
 * The effect of one instruction on balances and owners, in one form for raw and parsed
 * instructions.
 */
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
  /** All that a nonce account holds, or a part of it. */
  | { kind: 'nonce-withdrawn'; from: string; to: string; lamports: bigint }
  /** `owner`: the program it was made for; null when the node did not say. */
  | {
      kind: 'account-created';
      from: string;
      to: string;
      lamports: bigint;
      bytes: bigint;
      owner: string | null;
    }
  /** SOL out of a stake or vote account of `bytes`, which only its withdrawer, `authority`, can take. */
  | {
      kind: 'stake-withdrawn';
      account: string;
      to: string;
      authority: string;
      lamports: bigint;
      bytes: bigint;
    }
  /** Between two stake accounts of one withdrawer. Null: all that the first holds. */
  | { kind: 'stake-moved'; from: string; to: string; lamports: bigint | null }
  /** A stake account came to be, and this wallet may withdraw from it. */
  | { kind: 'stake-owned'; account: string; withdrawer: string }
  /** A stake account got another authority, maybe another withdrawer. */
  | { kind: 'stake-handed-over'; account: string }
  /** An account got a size, or a program as its owner. */
  | { kind: 'account-sized'; account: string; bytes: bigint; owner: string | null }
  /** An instruction that makes an account larger: SOL up to this much may go into it for its rent. */
  | { kind: 'account-grown'; account: string; lamports: bigint }
  /** An SPL multisig came to be: no wallet, though its address may look like one. */
  | { kind: 'multisig-made'; account: string }
  | { kind: 'memo'; text: string };

/** An action, with the programs that may have called for it (none at the top). */
export type Step = { action: Action; callers: readonly string[] };
