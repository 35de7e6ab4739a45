import type { NormalTransaction } from './normalise-transaction';
import type { Owner } from './trace-owners';

/** What instructions show to go from one owner to another, of one token. */
export type Flow = {
  /** Mint; null for SOL, native and wrapped. */
  asset: string | null;
  from: Owner;
  to: Owner;
  amount: bigint;
  /** Token program that moved it; null for native SOL. */
  program: string | null;
  /** Whether a transfer shows it, and not the closing or the handing over of an account. */
  isTransfer: boolean;
  /** Accounts on the transfer that it has no use for. */
  extra: string[];
  /** Programs that may have called for it. */
  callers: readonly string[];
};

/** Accounts on a transfer that it has no use for: neither signers nor parties. */
export function referencesOf(
  tx: NormalTransaction,
  transfer: { extra: string[]; authority: string | null },
  parties: readonly string[],
): string[] {
  const known = new Set<string | null>([transfer.authority, ...parties]);
  return transfer.extra.filter((key) => !tx.signers.has(key) && !known.has(key));
}
