import bs58 from 'bs58';
import { MintLayout } from '@solana/spl-token';
import { PublicKey } from '@solana/web3.js';
import { PLANTED_DECIMALS, PLANTED_MINTS, SYSTEM } from './addresses';
import type { Chain } from './chain';
import { MINT_BYTES } from './token-state';

/** Five million SOL: as much as fits the numbers of JSON without loss. */
const FAUCET_LAMPORTS = 5_000_000_000_000_000n;
const LOW_LAMPORTS = FAUCET_LAMPORTS / 2n;

/** Puts the stablecoins at their mainnet addresses, minted by the faucet, and fills the faucet's purse. */
export function plantAccounts(chain: Chain, faucet: string): void {
  for (const { mint, program } of PLANTED_MINTS) {
    if (chain.get(mint)) continue;
    chain.set(mint, {
      lamports: chain.rent(MINT_BYTES),
      owner: program,
      data: mintData(faucet),
      executable: false,
    });
  }
  if ((chain.get(faucet)?.lamports ?? 0n) < LOW_LAMPORTS)
    chain.set(faucet, {
      lamports: FAUCET_LAMPORTS,
      owner: SYSTEM,
      data: new Uint8Array(),
      executable: false,
    });
}

function mintData(authority: string): Uint8Array {
  const data = Buffer.alloc(MINT_BYTES);
  const none = new PublicKey(new Uint8Array(32));
  MintLayout.encode(
    {
      mintAuthorityOption: 1,
      mintAuthority: new PublicKey(bs58.decode(authority)),
      supply: 0n,
      decimals: PLANTED_DECIMALS,
      isInitialized: true,
      freezeAuthorityOption: 0,
      freezeAuthority: none,
    },
    data,
  );
  return new Uint8Array(data);
}
