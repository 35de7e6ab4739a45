import bs58 from 'bs58';
import { MintLayout, NATIVE_MINT, TOKEN_PROGRAM_ID } from '@solana/spl-token';
import { PublicKey } from '@solana/web3.js';
import { PLANTED_DECIMALS, PLANTED_MINTS, SYSTEM, TOKEN22 } from './addresses';
import type { Chain } from './chain';
import { addFeeConfig } from './fee-mint';
import { MINT_BYTES } from './token-state';

/** Five million SOL: the most that JSON numbers hold without loss. */
const FAUCET_LAMPORTS = 5_000_000_000_000_000n;
const LOW_LAMPORTS = FAUCET_LAMPORTS / 2n;

const SOL_DECIMALS = 9;

/**
 * Creates the stablecoins at their mainnet addresses, minted by the faucet, and the mint of wrapped
 * SOL, which has no minter. Also funds the faucet.
 */
export function plantAccounts(chain: Chain, faucet: string): void {
  const plantMint = (mint: string, program: string, data: Uint8Array) => {
    if (chain.get(mint)) return;
    chain.set(mint, {
      lamports: chain.rent(data.length),
      owner: program,
      data,
      executable: false,
    });
  };
  for (const { mint, program } of PLANTED_MINTS) {
    const plain = mintData(faucet, PLANTED_DECIMALS);
    plantMint(mint, program, program === TOKEN22 ? addFeeConfig(plain, faucet) : plain);
  }
  plantMint(NATIVE_MINT.toBase58(), TOKEN_PROGRAM_ID.toBase58(), mintData(null, SOL_DECIMALS));
  if ((chain.get(faucet)?.lamports ?? 0n) < LOW_LAMPORTS)
    chain.set(faucet, {
      lamports: FAUCET_LAMPORTS,
      owner: SYSTEM,
      data: new Uint8Array(),
      executable: false,
    });
}

function mintData(authority: string | null, decimals: number): Uint8Array {
  const data = Buffer.alloc(MINT_BYTES);
  const none = new PublicKey(new Uint8Array(32));
  MintLayout.encode(
    {
      mintAuthorityOption: authority === null ? 0 : 1,
      mintAuthority: authority === null ? none : new PublicKey(bs58.decode(authority)),
      supply: 0n,
      decimals,
      isInitialized: true,
      freezeAuthorityOption: 0,
      freezeAuthority: none,
    },
    data,
  );
  return new Uint8Array(data);
}
