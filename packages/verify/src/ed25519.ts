import { createPrivateKey, createPublicKey, type KeyObject } from 'node:crypto';

/** DER prefix of a PKCS #8 Ed25519 private key (RFC 8410); the 32-byte seed follows. */
const PKCS8_PREFIX = Buffer.from('302e020100300506032b657004220420', 'hex');
/** DER prefix of an Ed25519 public key (RFC 8410); the 32 bytes of the key follow. */
const SPKI_PREFIX = Buffer.from('302a300506032b6570032100', 'hex');

/** Keys made before, by the array that holds the secret: making one costs more than signing with it. */
const made = new WeakMap<Uint8Array, KeyObject>();

/** The signing key of a secret key of 64 bytes (seed and public key) or of its seed, for node:crypto. */
export function ed25519PrivateKey(secret: Uint8Array): KeyObject {
  let key = made.get(secret);
  if (!key) {
    key = createPrivateKey({
      key: Buffer.concat([PKCS8_PREFIX, secret.subarray(0, 32)]),
      format: 'der',
      type: 'pkcs8',
    });
    made.set(secret, key);
  }
  return key;
}

/** The verifying key of 32 bytes, for node:crypto. Throws when they cannot be one. */
export function ed25519PublicKey(bytes: Uint8Array): KeyObject {
  return createPublicKey({
    key: Buffer.concat([SPKI_PREFIX, bytes]),
    format: 'der',
    type: 'spki',
  });
}
