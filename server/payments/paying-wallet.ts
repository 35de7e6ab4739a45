import type { CompiledInstruction, WireTransaction } from '@quittance/verify/chain/decode-wire';
import { TOKEN } from '@quittance/verify/chain/programs';
import { tokenAddressOf } from '@/server/chain/token-address';
import { USDC_DECIMALS } from '@quittance/verify/money';

/** Tag of SPL Token's TransferChecked, and its data: tag, amount (u64), decimals (SPL Token, instruction.rs). */
const TRANSFER_CHECKED = 12;
const TRANSFER_BYTES = 10;
const DECIMALS_AT = 9;

type Terms = { payTo: string; priceMicros: bigint; mint: string };

/**
 * The wallet that pays a quote with a signed transaction: its TransferChecked moves exactly the price from that
 * wallet's own token account to the account of `payTo`. Null when the transaction holds no such transfer. Says
 * nothing of the memo, or of whether the transfer succeeds.
 */
export async function payingWallet(
  transaction: WireTransaction,
  terms: Terms,
): Promise<string | null> {
  const { mint, payTo } = terms;
  const accountOf = (wallet: string) => tokenAddressOf({ wallet, mint, tokenProgram: TOKEN });
  const paid = await accountOf(payTo);
  for (const instruction of transaction.instructions) {
    const transfer = readTransfer(instruction, transaction);
    if (!transfer || transfer.mint !== mint || transfer.destination !== paid) continue;
    if (transfer.amount !== terms.priceMicros) continue;
    if (transfer.source === (await accountOf(transfer.authority))) return transfer.authority;
  }
  return null;
}

/** A TransferChecked of classic SPL Token in USDC's decimals by one signer, or null when it is something else. */
function readTransfer(
  { programIndex, accounts, data: bytes }: CompiledInstruction,
  { staticKeys, signerCount }: WireTransaction,
): { source: string; mint: string; destination: string; authority: string; amount: bigint } | null {
  const data = Buffer.from(bytes);
  if (staticKeys[programIndex] !== TOKEN || data.length !== TRANSFER_BYTES) return null;
  if (data[0] !== TRANSFER_CHECKED || data[DECIMALS_AT] !== USDC_DECIMALS) return null;
  const [source, mint, destination, authority, ...others] = accounts.map((at) => staticKeys[at]);
  if (!source || !mint || !destination || !authority || others.length > 0) return null;
  if (staticKeys.indexOf(authority) >= signerCount) return null;
  return { source, mint, destination, authority, amount: data.readBigUInt64LE(1) };
}
