import bs58 from 'bs58';
import type { ProofReader } from './chain-reader';
import { TOKEN, TOKEN_2022 } from './programs';
import { tokenAddressOf } from './token-accounts';

const MINT_BYTES = 32;

/**
 * The accounts whose histories hold a wallet's payments in these tokens: its own, its open token
 * accounts, and the associated ones, closed or not. Other accounts that were closed cannot be
 * found.
 */
export async function listWalletAccounts(
  rpc: ProofReader,
  { wallet, mints }: { wallet: string; mints: ReadonlySet<string> },
): Promise<string[]> {
  const accounts = new Set([wallet]);
  for (const program of [TOKEN, TOKEN_2022]) {
    for (const { account, data } of await rpc.getOwnedAccounts(wallet, program))
      if (mints.has(bs58.encode(data.subarray(0, MINT_BYTES)))) accounts.add(account);
    for (const mint of mints)
      accounts.add(await tokenAddressOf({ wallet, mint, tokenProgram: program }));
  }
  return [...accounts];
}
