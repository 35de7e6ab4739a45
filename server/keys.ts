import { createHash, createPublicKey, randomBytes, sign } from 'node:crypto';
import bs58 from 'bs58';
import { ed25519PrivateKey } from '@quittance/verify/ed25519';

/**
 * Reads a Solana secret key: 64 bytes (seed and public key) as base58 or as the JSON array that
 * `solana-keygen` writes. Null when the text is neither or the two halves do not belong together.
 */
export function parseSecretKey(text: string): Uint8Array | null {
  const bytes = decode(text.trim());
  if (bytes?.length !== 64) return null;
  const expected = publicKeyFromSeed(bytes.subarray(0, 32));
  return Buffer.from(bytes.subarray(32)).equals(expected) ? bytes : null;
}

/** Base58 address of a 64-byte secret key. */
export function publicKeyOf(secret: Uint8Array): string {
  return bs58.encode(secret.subarray(32, 64));
}

/** A new 64-byte secret key, for where money is real. */
export function makeSecretKey(): Uint8Array {
  const seed = randomBytes(32);
  return new Uint8Array(Buffer.concat([seed, publicKeyFromSeed(seed)]));
}

/**
 * Signs for the storage account: an address (base58) and Ed25519 signatures over bytes. Storing needs nothing else, so
 * that the key can move to a key management service later. Today the settings hold it.
 */
export type StorageSigner = {
  publicKey: string;
  signMessage: (message: Uint8Array) => Promise<Uint8Array>;
};

/** A 64-byte secret key as a signer. */
export function localSigner(o: { publicKey: string; secret: Uint8Array }): StorageSigner {
  const key = ed25519PrivateKey(o.secret);
  return { publicKey: o.publicKey, signMessage: async (message) => sign(null, message, key) };
}

/**
 * `cluster_name` of the embedded PostgreSQL. The service refuses such a server where money is real,
 * and refuses its keys too.
 */
export const EMBEDDED_CLUSTER = 'quittance-embedded';

/**
 * A key for the embedded stack. Half of its seed is a mark computed from the other half. So a key
 * of the test chain is recognised by the key alone, and is never accepted where money is real.
 */
export function makeEmbeddedKey(): Uint8Array {
  const random = randomBytes(16);
  const seed = Buffer.concat([random, embeddedMark(random)]);
  return new Uint8Array(Buffer.concat([seed, publicKeyFromSeed(seed)]));
}

/** Whether {@link makeEmbeddedKey} made this key. */
export function isEmbeddedKey(secret: Uint8Array): boolean {
  return embeddedMark(secret.subarray(0, 16)).equals(secret.subarray(16, 32));
}

function embeddedMark(random: Uint8Array): Buffer {
  return createHash('sha256')
    .update('quittance embedded key')
    .update(random)
    .digest()
    .subarray(0, 16);
}

function publicKeyFromSeed(seed: Uint8Array): Buffer {
  return createPublicKey(ed25519PrivateKey(seed))
    .export({ format: 'der', type: 'spki' })
    .subarray(-32);
}

function decode(text: string): Uint8Array | null {
  if (!text.startsWith('[')) return bs58.decodeUnsafe(text) ?? null;
  try {
    const value: unknown = JSON.parse(text);
    const isBytes =
      Array.isArray(value) && value.every((b) => Number.isInteger(b) && b >= 0 && b <= 255);
    return isBytes ? Uint8Array.from(value) : null;
  } catch {
    return null;
  }
}
