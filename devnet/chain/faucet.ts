import { randomInt } from 'node:crypto';
import {
  createAssociatedTokenAccountIdempotentInstruction,
  createMintToCheckedInstruction,
  getAssociatedTokenAddressSync,
} from '@solana/spl-token';
import {
  ComputeBudgetProgram,
  Keypair,
  PublicKey,
  SystemProgram,
  Transaction,
  type TransactionInstruction,
} from '@solana/web3.js';
import { PLANTED_DECIMALS, PLANTED_MINTS } from './addresses';
import type { Chain } from './chain';

export type Faucet = ReturnType<typeof openFaucet>;

/**
 * Gives play money by ordinary transactions, signed by the key that may mint the tokens of this
 * chain.
 */
export function openFaucet(chain: Chain, secret: Uint8Array) {
  const faucet = Keypair.fromSecretKey(secret);
  const me = faucet.publicKey;
  // Two equal gifts in one slot would be one transaction. The compute limit makes them differ.
  let gift = randomInt(100_000);

  function send(...instructions: TransactionInstruction[]): string {
    gift = (gift + 1) % 100_000;
    const transaction = new Transaction({
      feePayer: me,
      ...chain.latestBlockhash(),
    }).add(ComputeBudgetProgram.setComputeUnitLimit({ units: 200_000 + gift }), ...instructions);
    transaction.sign(faucet);
    return chain.send(transaction.serialize());
  }

  return {
    address: me.toBase58(),

    sendSol(wallet: string, lamports: bigint): string {
      const toPubkey = new PublicKey(wallet);
      return send(SystemProgram.transfer({ fromPubkey: me, toPubkey, lamports }));
    },

    /**
     * Mints base units of a token of this chain to the wallet's associated account, which is made
     * when missing.
     */
    sendToken(wallet: string, symbol: string, amount: bigint): string {
      const planted = PLANTED_MINTS.find((entry) => entry.symbol === symbol);
      if (!planted) throw new Error(`the faucet has no token ${symbol}`);
      const mint = new PublicKey(planted.mint);
      const owner = new PublicKey(wallet);
      const program = new PublicKey(planted.program);
      const account = getAssociatedTokenAddressSync(mint, owner, true, program);
      return send(
        createAssociatedTokenAccountIdempotentInstruction(me, account, owner, mint, program),
        createMintToCheckedInstruction(mint, account, me, amount, PLANTED_DECIMALS, [], program),
      );
    },
  };
}
