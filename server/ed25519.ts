import { createPrivateKey, createPublicKey, type KeyObject } from 'node:crypto';

/** DER prefix of a PKCS #8 Ed25519 private key (RFC 8410); the 32-byte seed follows. */
const PKCS8_PREFIX = Buffer.from('302e020100300506032b657004220420', 'hex');
/** DER prefix of an Ed25519 public key (RFC 8410); the 32 bytes of the key follow. */
const SPKI_PREFIX = Buffer.from('302a300506032b6570032100', 'hex');

/** The signing key of a 32-byte seed, for node:crypto. */
export function ed25519PrivateKey(seed: Uint8Array): KeyObject {
  return createPrivateKey({
    key: Buffer.concat([PKCS8_PREFIX, seed]),
    format: 'der',
    type: 'pkcs8',
  });
}

/** The verifying key of 32 bytes, for node:crypto. Throws when they cannot be one. */
export function ed25519PublicKey(bytes: Uint8Array): KeyObject {
  return createPublicKey({
    key: Buffer.concat([SPKI_PREFIX, bytes]),
    format: 'der',
    type: 'spki',
  });
}
