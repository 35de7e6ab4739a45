import { sign } from 'node:crypto';
import {
  addTransactionSignature,
  publicKey,
  type Signer,
  type Transaction,
  type TransactionBuilder,
  type Umi,
} from '@metaplex-foundation/umi';
import { createUmi } from '@metaplex-foundation/umi-bundle-defaults';
import { ed25519PrivateKey } from '@quittance/verify/ed25519';
import bs58 from 'bs58';
import { z } from 'zod';
import type { SecretKey } from '@/server/env';

let umi: Umi | undefined;

/**
 * The client library, used only to build and sign. Its endpoint answers nothing (port 9 discards):
 * every call to the chain uses `server/chain`.
 */
export function offlineUmi(): Umi {
  umi ??= createUmi('http://127.0.0.1:9');
  return umi;
}

/** A key of ours in the form the library signs with. Its own Ed25519, in JavaScript, takes ten times as long. */
export function signerOf(key: SecretKey): Signer {
  const address = publicKey(key.publicKey);
  const signBytes = (bytes: Uint8Array) =>
    Uint8Array.from(sign(null, bytes, ed25519PrivateKey(key.secret)));
  const signTransaction = async (transaction: Transaction) =>
    addTransactionSignature(transaction, signBytes(transaction.serializedMessage), address);
  return {
    publicKey: address,
    signMessage: async (message) => signBytes(message),
    signTransaction,
    signAllTransactions: (transactions) => Promise.all(transactions.map(signTransaction)),
  };
}

/** A signed transaction: base58 signature, wire bytes, and the last block height it can land at. */
export type SignedTransaction = {
  signature: string;
  wire: Uint8Array<ArrayBuffer>;
  lastValidBlockHeight: bigint;
};

/** Signs what `builder` holds, with `payer` paying, for the life of `blockhash`. Sends nothing. */
export async function signTransaction(
  builder: TransactionBuilder,
  payer: Signer,
  blockhash: { blockhash: string; lastValidBlockHeight: bigint },
): Promise<SignedTransaction> {
  const umi = offlineUmi();
  const signed = await builder
    .setFeePayer(payer)
    .setBlockhash({
      blockhash: blockhash.blockhash,
      lastValidBlockHeight: Number(blockhash.lastValidBlockHeight),
    })
    .buildAndSign(umi);
  return {
    signature: bs58.encode(signed.signatures[0] ?? new Uint8Array()),
    wire: Uint8Array.from(umi.transactions.serialize(signed)),
    lastValidBlockHeight: blockhash.lastValidBlockHeight,
  };
}

/** Bubblegum: the tree has no space for another leaf. */
export const TREE_FULL = 6017;

/** Why a mint transaction was not sent: its key could not pay for it. This is no refusal of the mint. */
export const MINTER_CANNOT_PAY = 'the minter has too little SOL to pay for the mint';

/** Protocol fee of the Bubblegum program for each mint, and the network fee of its transaction. */
export const MINT_LAMPORTS = 90_000n + 5_000n;

const noMoney = z.union([
  z.enum(['AccountNotFound', 'InsufficientFundsForFee']),
  z.object({ InsufficientFundsForRent: z.object({ account_index: z.literal(0) }) }),
]);

/** Whether the `err` of a transaction says that its fee payer cannot pay. */
export function isLackOfMoney(err: unknown): boolean {
  return noMoney.safeParse(err).success;
}

const custom = z.object({
  InstructionError: z.tuple([z.number(), z.object({ Custom: z.number() })]),
});

/** Code that a program failed with, from the `err` of a transaction; null when it failed otherwise. */
export function programErrorCode(err: unknown): number | null {
  const parsed = custom.safeParse(err);
  return parsed.success ? parsed.data.InstructionError[1].Custom : null;
}

/** One line about the `err` of a transaction, for `lastError`. */
export function describeError(err: unknown): string {
  const code = programErrorCode(err);
  return code === null ? JSON.stringify(err) : `program error ${code}`;
}
