import {
  createAssociatedTokenAccountIdempotentInstruction,
  createTransferCheckedInstruction,
  getAssociatedTokenAddressSync,
  NATIVE_MINT,
  TOKEN_PROGRAM_ID,
} from '@solana/spl-token';
import { SystemProgram, type Keypair, type PublicKey } from '@solana/web3.js';

export type RandomToken = {
  mint: PublicKey;
  program: PublicKey;
  decimals: number;
  /** The wallet that may mint it; null where nobody here may. */
  authority: Keypair | null;
};

/** Six owners: four wallets that can sign, and two program accounts that can only receive. */
export type World = {
  wallets: readonly Keypair[];
  programs: readonly PublicKey[];
  tokens: readonly RandomToken[];
  table: PublicKey;
};

export const WSOL: RandomToken = {
  mint: NATIVE_MINT,
  program: TOKEN_PROGRAM_ID,
  decimals: 9,
  authority: null,
};
export const ata = (owner: PublicKey, { mint, program }: RandomToken): PublicKey =>
  getAssociatedTokenAddressSync(mint, owner, true, program);

export const open = (payer: PublicKey, owner: PublicKey, token: RandomToken) =>
  createAssociatedTokenAccountIdempotentInstruction(
    payer,
    ata(owner, token),
    owner,
    token.mint,
    token.program,
  );

export const move = (
  token: RandomToken,
  from: PublicKey,
  to: PublicKey,
  amount: bigint,
  by = from,
) =>
  createTransferCheckedInstruction(
    ata(from, token),
    token.mint,
    ata(to, token),
    by,
    amount,
    token.decimals,
    [],
    token.program,
  );

export const pay = (fromPubkey: PublicKey, toPubkey: PublicKey, lamports: bigint | number) =>
  SystemProgram.transfer({ fromPubkey, toPubkey, lamports });
