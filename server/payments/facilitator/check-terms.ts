import { TOKEN } from '@quittance/verify/chain/programs';
import { tokenAddressOf } from '@/server/chain/token-address';
import type { PlainTransfer } from './allowed-instructions';

/**
 * Whether a transfer is exactly what the quote asks for. The library compares the same, but before it meets
 * an instruction that it does not know; nothing about money rests on that order. Gives the reason of a
 * refusal, or null.
 */
export async function checkTerms(
  transfer: PlainTransfer,
  quote: { priceMicros: bigint; payTo: string },
  usdcMint: string,
): Promise<string | null> {
  if (transfer.mint !== usdcMint) return 'invalid_exact_svm_payload_mint_mismatch';
  const account = { wallet: quote.payTo, mint: usdcMint, tokenProgram: TOKEN };
  if (transfer.destination !== (await tokenAddressOf(account)))
    return 'invalid_exact_svm_payload_recipient_mismatch';
  return transfer.amount === quote.priceMicros ? null : 'invalid_exact_svm_payload_amount_mismatch';
}
