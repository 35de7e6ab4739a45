import { sign, verify } from 'node:crypto';
import bs58 from 'bs58';
import canonicalize from 'canonicalize';
import { ed25519PrivateKey, ed25519PublicKey } from '../ed25519';
import { attempt } from './check-line';

/** Nothing else that a key of the issuer signs begins with this. */
const PREFIX = 'quittance issuer document v1\n';

/** The text under the signature: the prefix and the canonical JSON (RFC 8785) without the signature itself. */
function textOf(document: object): Buffer {
  const unsigned = Object.fromEntries(
    Object.entries(document).filter(([name]) => name !== 'signature'),
  );
  return Buffer.from(`${PREFIX}${canonicalize(unsigned) ?? ''}`);
}

/** The document with its signer and signature (Ed25519, base58). */
export function signIssuer<T extends object>(
  document: T,
  key: { publicKey: string; secret: Uint8Array },
): T & { signed_by: string; signature: string } {
  const unsigned = { ...document, signed_by: key.publicKey };
  const signature = sign(null, textOf(unsigned), ed25519PrivateKey(key.secret));
  return { ...unsigned, signature: bs58.encode(signature) };
}

/**
 * Whether the key that a document names signed the whole document, unknown fields included. Never
 * throws.
 */
export function isSignedIssuer(
  document: object,
  o: { signedBy: string; signature: string },
): boolean {
  const [key, signature] = [bs58.decodeUnsafe(o.signedBy), bs58.decodeUnsafe(o.signature)];
  if (key?.length !== 32 || signature?.length !== 64) return false;
  return attempt(() => verify(null, textOf(document), ed25519PublicKey(key), signature)) === true;
}
