import type { Signer, Umi } from '@metaplex-foundation/umi';
import { createSignerFromKeypair } from '@metaplex-foundation/umi';
import { createUmi } from '@metaplex-foundation/umi-bundle-defaults';
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

const signers = new WeakMap<SecretKey, Signer>();

/** A key of ours in the form the library signs with. Made once a key: its public half is derived anew. */
export function signerOf(key: SecretKey): Signer {
  const known = signers.get(key);
  if (known) return known;
  const umi = offlineUmi();
  const signer = createSignerFromKeypair(umi, umi.eddsa.createKeypairFromSecretKey(key.secret));
  signers.set(key, signer);
  return signer;
}
