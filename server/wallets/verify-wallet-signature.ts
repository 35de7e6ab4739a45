import { verify, type KeyObject } from 'node:crypto';
import { ed25519PublicKey } from '@quittance/verify/ed25519';
import { decodeBase58 } from '@quittance/verify/wallets/base58';
import { offChainForms } from './off-chain-message';

/**
 * Points of order 8 or less, y coordinate only (hex, sign bit cleared, non-canonical ones included;
 * computed from the curve of RFC 8032). Anyone can sign some texts for such a key; one of them is the
 * address of the System program.
 */
const SMALL_ORDER: ReadonlySet<string> = new Set([
  '0000000000000000000000000000000000000000000000000000000000000000',
  '0100000000000000000000000000000000000000000000000000000000000000',
  '26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05',
  'c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a',
  'ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f',
  'edffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f',
  'eeffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f',
]);

/**
 * Whether `signature` (base58) is the wallet's Ed25519 signature over the text: over its UTF-8 bytes, or
 * over the off-chain message that wraps it, as hardware wallets sign. False for anything malformed.
 */
export function verifyWalletSignature(o: {
  wallet: string;
  signature: string;
  text: string;
}): boolean {
  const publicKey = decodeBase58(o.wallet, 32);
  const signature = decodeBase58(o.signature, 64);
  if (!publicKey || !signature || isSmallOrder(publicKey)) return false;
  const key = toKey(publicKey);
  if (!key) return false;
  const forms = [Buffer.from(o.text, 'utf8'), ...offChainForms(o.text, publicKey)];
  return forms.some((bytes) => isSigned(bytes, key, signature));
}

function isSigned(bytes: Uint8Array, key: KeyObject, signature: Uint8Array): boolean {
  try {
    return verify(null, bytes, key, signature);
  } catch {
    return false;
  }
}

function toKey(publicKey: Uint8Array): KeyObject | null {
  try {
    return ed25519PublicKey(publicKey);
  } catch {
    return null;
  }
}

function isSmallOrder(publicKey: Uint8Array): boolean {
  const bytes = Buffer.from(publicKey);
  bytes.writeUInt8(bytes.readUInt8(31) & 0x7f, 31);
  return SMALL_ORDER.has(bytes.toString('hex'));
}
