import { address, getAddressEncoder, getProgramDerivedAddress } from '@solana/kit';
import bs58 from 'bs58';
import type { ProofReader } from './chain-reader';
import { ASSOCIATED_TOKEN, TOKEN, TOKEN_2022 } from './programs';

const MINT_BYTES = 32;

/**
 * The accounts in whose histories a wallet's payments in these tokens stand: its own, its open token accounts, and
 * the associated ones, closed or not. Another account that was closed since is known to nobody.
 */
export async function listWalletAccounts(
  rpc: ProofReader,
  { wallet, mints }: { wallet: string; mints: ReadonlySet<string> },
): Promise<string[]> {
  const encoder = getAddressEncoder();
  const accounts = new Set([wallet]);
  for (const program of [TOKEN, TOKEN_2022]) {
    for (const { account, data } of await rpc.getOwnedAccounts(wallet, program))
      if (mints.has(bs58.encode(data.subarray(0, MINT_BYTES)))) accounts.add(account);
    for (const mint of mints) {
      const [associated] = await getProgramDerivedAddress({
        programAddress: address(ASSOCIATED_TOKEN),
        seeds: [wallet, program, mint].map((key) => encoder.encode(address(key))),
      });
      accounts.add(associated);
    }
  }
  return [...accounts];
}
