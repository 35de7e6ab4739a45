import { setTimeout as sleep } from 'node:timers/promises';
import {
  createAssociatedTokenAccountIdempotentInstruction,
  createTransferCheckedInstruction,
  getAssociatedTokenAddressSync,
  TOKEN_2022_PROGRAM_ID,
  TOKEN_PROGRAM_ID,
} from '@solana/spl-token';
import {
  Connection,
  PublicKey,
  Transaction,
  TransactionInstruction,
  type Signer,
} from '@solana/web3.js';
import bs58 from 'bs58';
import { MEMO_PROGRAMS } from '../chain/addresses';
import type { Wallet } from './wallet';

/** Tokens of the embedded chain at their mainnet addresses. All have 6 decimals. */
export const TOKENS = {
  USDC: { mint: 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v', program: TOKEN_PROGRAM_ID },
  USDT: { mint: 'Es9vMFrzaCERmJfrF4H2FYD4KCoNkY11McCe8BenwNYB', program: TOKEN_PROGRAM_ID },
  EURC: { mint: 'HzwqbKZw8HxMN6bF2yFZNrht3c2iXXzpKcFu7uBEDKtr', program: TOKEN_PROGRAM_ID },
  PYUSD: { mint: '2b1kV6DkPAnxd5ixfnxCpjxmKwqjjaYmCZfHsFu24GXo', program: TOKEN_2022_PROGRAM_ID },
} as const;

export type TokenPayment = {
  from: Wallet;
  to: string;
  token: keyof typeof TOKENS;
  /** Base units. */
  amount: bigint;
  memo?: string;
};

/** Pays from one wallet to another, and opens the receiver's account if it is missing. */
export async function payToken(rpcUrl: string, payment: TokenPayment): Promise<string> {
  return sendAndConfirm(rpcUrl, buildTokenPayment(payment), [payment.from.keypair]);
}

/** The transaction of {@link payToken}, unsigned. */
export function buildTokenPayment(payment: TokenPayment): Transaction {
  const { from, to, amount } = payment;
  const { mint, program } = TOKENS[payment.token];
  const mintKey = new PublicKey(mint);
  const receiver = new PublicKey(to);
  const account = (owner: PublicKey) =>
    getAssociatedTokenAddressSync(mintKey, owner, true, program);
  const transaction = new Transaction().add(
    createAssociatedTokenAccountIdempotentInstruction(
      from.keypair.publicKey,
      account(receiver),
      receiver,
      mintKey,
      program,
    ),
    createTransferCheckedInstruction(
      account(from.keypair.publicKey),
      mintKey,
      account(receiver),
      from.keypair.publicKey,
      amount,
      6,
      [],
      program,
    ),
  );
  if (payment.memo !== undefined)
    transaction.add(
      new TransactionInstruction({
        programId: new PublicKey(MEMO_PROGRAMS.v3),
        keys: [],
        data: Buffer.from(payment.memo, 'utf8'),
      }),
    );
  return transaction;
}

/** Signs a transaction over the newest blockhash of a node. The first signer pays its fee. */
export async function signNow(
  connection: Connection,
  transaction: Transaction,
  signers: Signer[],
): Promise<void> {
  const { blockhash } = await connection.getLatestBlockhash();
  transaction.recentBlockhash = blockhash;
  transaction.feePayer = signers[0]?.publicKey;
  transaction.sign(...signers);
}

/** Signs, sends and polls until the transaction is confirmed. Throws when it failed. */
export async function sendAndConfirm(
  rpcUrl: string,
  transaction: Transaction,
  signers: Signer[],
): Promise<string> {
  const connection = new Connection(rpcUrl, 'confirmed');
  await signNow(connection, transaction, signers);
  const signature = bs58.encode(transaction.signature ?? new Uint8Array());
  await connection.sendRawTransaction(transaction.serialize());
  for (let tries = 0; tries < 150; tries += 1) {
    const { value } = await connection.getSignatureStatus(signature);
    if (value?.err) throw new Error(`transaction failed: ${JSON.stringify(value.err)}`);
    if (value && value.confirmationStatus !== 'processed') return signature;
    await sleep(100);
  }
  throw new Error(`transaction ${signature} was not confirmed in 15 s`);
}
