import type { CompiledInstruction, WireTransaction } from '@quittance/verify/chain/decode-wire';
import { TOKEN } from '@quittance/verify/chain/programs';
import { USDC_DECIMALS } from '@quittance/verify/money';
import { tokenAddressOf } from '@quittance/verify/chain/token-accounts';

/** Tag of SPL Token's TransferChecked; its data are the tag, the amount (u64) and the decimals (SPL Token, instruction.rs). */
export const TRANSFER_CHECKED = 12;
const TRANSFER_BYTES = 10;
const DECIMALS_AT = 9;
/**
 * Accounts of TransferChecked: source, mint, destination, authority. More would be signers of a
 * multisig.
 */
const TRANSFER_ACCOUNTS = 4;

export type PlainTransfer = {
  source: string;
  mint: string;
  destination: string;
  authority: string;
  /** Place of the authority among the transaction's keys, of which the signers come first. */
  authorityAt: number;
  amount: bigint;
  decimals: number | undefined;
};

/** A TransferChecked of classic SPL Token by one authority, or null when the instruction is something else. */
export function readTransferChecked(
  { programIndex, accounts, data: bytes }: CompiledInstruction,
  { staticKeys }: WireTransaction,
): PlainTransfer | null {
  const data = Buffer.from(bytes);
  if (staticKeys[programIndex] !== TOKEN || accounts.length !== TRANSFER_ACCOUNTS) return null;
  if (data.length !== TRANSFER_BYTES || data[0] !== TRANSFER_CHECKED) return null;
  const [source, mint, destination, authority] = accounts.map((at) => staticKeys[at]);
  const authorityAt = accounts[3];
  if (!source || !mint || !destination || !authority || authorityAt === undefined) return null;
  return {
    source,
    mint,
    destination,
    authority,
    authorityAt,
    amount: data.readBigUInt64LE(1),
    decimals: data[DECIMALS_AT],
  };
}

/**
 * The wallet that pays a quote with a signed transaction. Its TransferChecked moves exactly the
 * price from that wallet's own token account to the account of `payTo`. Null when the transaction
 * holds no such transfer. Does not check the memo, or whether the transfer succeeds.
 */
export async function payingWallet(
  transaction: WireTransaction,
  { payTo, priceMicros, mint }: { payTo: string; priceMicros: bigint; mint: string },
): Promise<string | null> {
  const accountOf = (wallet: string) => tokenAddressOf({ wallet, mint, tokenProgram: TOKEN });
  const paid = await accountOf(payTo);
  for (const instruction of transaction.instructions) {
    const transfer = readTransferChecked(instruction, transaction);
    if (!transfer || transfer.decimals !== USDC_DECIMALS) continue;
    if (transfer.authorityAt >= transaction.signerCount) continue;
    if (transfer.mint !== mint || transfer.destination !== paid) continue;
    if (transfer.amount !== priceMicros) continue;
    if (transfer.source === (await accountOf(transfer.authority))) return transfer.authority;
  }
  return null;
}
