import { address, getAddressEncoder, getProgramDerivedAddress } from '@solana/kit';
import { ASSOCIATED_TOKEN, TOKEN } from '@/server/chain/programs';

/** The associated account of a wallet for a mint of the classic token program, where x402 clients pay to. */
export async function tokenAccountOf(wallet: string, mint: string): Promise<string> {
  const encoder = getAddressEncoder();
  const [account] = await getProgramDerivedAddress({
    programAddress: address(ASSOCIATED_TOKEN),
    seeds: [wallet, TOKEN, mint].map((key) => encoder.encode(address(key))),
  });
  return account;
}
