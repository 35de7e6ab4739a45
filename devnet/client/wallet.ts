import { generateKeyPairSync, sign } from 'node:crypto';
import { Keypair } from '@solana/web3.js';
import bs58 from 'bs58';

/** A wallet of the local chain: for demos, tests and benchmarks. */
export type Wallet = {
  address: string;
  keypair: Keypair;
  /** Base58 Ed25519 signature over the UTF-8 text. */
  signText(text: string): string;
};

export function makeWallet(): Wallet {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519');
  const seed = privateKey.export({ format: 'der', type: 'pkcs8' }).subarray(-32);
  const address = bs58.encode(publicKey.export({ format: 'der', type: 'spki' }).subarray(-32));
  return {
    address,
    keypair: Keypair.fromSeed(seed),
    signText: (text) => bs58.encode(sign(null, Buffer.from(text, 'utf8'), privateKey)),
  };
}
