import { address, getAddressEncoder, getProgramDerivedAddress } from '@solana/kit';
import { ASSOCIATED_TOKEN } from '@quittance/verify/chain/programs';

/** The associated token account of a wallet: where wallets pay to, whether or not it exists. */
export async function tokenAddressOf(o: {
  wallet: string;
  mint: string;
  tokenProgram: string;
}): Promise<string> {
  const encoder = getAddressEncoder();
  const [account] = await getProgramDerivedAddress({
    programAddress: address(ASSOCIATED_TOKEN),
    seeds: [o.wallet, o.tokenProgram, o.mint].map((key) => encoder.encode(address(key))),
  });
  return account;
}
