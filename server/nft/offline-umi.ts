import { sign } from 'node:crypto';
import {
  addTransactionSignature,
  publicKey,
  type Signer,
  type Transaction,
  type Umi,
} from '@metaplex-foundation/umi';
import { createUmi } from '@metaplex-foundation/umi-bundle-defaults';
import { ed25519PrivateKey } from '@quittance/verify/ed25519';
import type { SecretKey } from '@/server/env';

let umi: Umi | undefined;

/**
 * The client library for building and signing alone. Its endpoint answers nothing (port 9 discards):
 * every call to the chain goes through `server/chain`.
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
