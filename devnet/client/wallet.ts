import { sign } from 'node:crypto';
import { Keypair } from '@solana/web3.js';
import bs58 from 'bs58';
import { ed25519PrivateKey } from '@quittance/verify/ed25519';

/** A wallet of the local chain: for demos, tests and benchmarks. */
export type Wallet = {
  address: string;
  keypair: Keypair;
  /** Base58 Ed25519 signature over the UTF-8 text. */
  signText(text: string): string;
};

export function makeWallet(): Wallet {
  return walletOf(Keypair.generate());
}

/** The wallet of a key pair. */
export function walletOf(keypair: Keypair): Wallet {
  const privateKey = ed25519PrivateKey(keypair.secretKey);
  return {
    address: keypair.publicKey.toBase58(),
    keypair,
    signText: (text) => bs58.encode(sign(null, Buffer.from(text, 'utf8'), privateKey)),
  };
}
