import { type KeyObject, verify } from 'node:crypto';
import { ed25519PublicKey } from '@quittance/verify/ed25519';
import { decodeBase58 } from '@quittance/verify/wallets/base58';

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
 * Whether `signature` (base58) is the wallet's Ed25519 signature over the text. It covers the UTF-8
 * bytes, or the off-chain message around them, which hardware wallets sign. False for anything
 * malformed.
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

/** Bytes before the text in each form of an off-chain message with one signer; see offChainForms. */
const HEADER_BYTES = [85, 20, 50];

/**
 * The text that a wallet reports as signed: the bytes themselves, or the text in an off-chain
 * message (hardware wallets). Null when they are neither.
 */
export function readSignedText(bytes: Uint8Array, wallet: Uint8Array): string | null {
  if (bytes[0] !== 0xff) return decode(bytes);
  for (const header of HEADER_BYTES) {
    const text = decode(bytes.subarray(header));
    if (text !== null && offChainForms(text, wallet).some((form) => form.equals(bytes)))
      return text;
  }
  return null;
}

function decode(bytes: Uint8Array): string | null {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return null;
  }
}

/** Begins every off-chain message; no transaction can begin with 0xff. */
const DOMAIN = Buffer.concat([Buffer.from([0xff]), Buffer.from('solana offchain', 'ascii')]);

/**
 * Restricted ASCII, UTF-8 that fits a hardware wallet, longer UTF-8. Wallets differ in what they declare
 * (line breaks, for one); the text that is signed is the same, so all are tried.
 */
const FORMATS = [0, 1, 2];

/** The length field and the header must fit 65,535 bytes. */
const MAX_TEXT_BYTES = 65_515;

/**
 * The byte strings that wallets sign for a text instead of the text itself, so that a hardware wallet can
 * distinguish it from a transaction.
 *
 * Version 0, full header (docs.anza.xyz/proposals/off-chain-message-signing): domain, version, application
 * domain (32 bytes, zero here), format, signer count, signers, length (u16), text. Version 0, short header
 * (what the Solana CLI and Ledger's first apps sign): domain, version, format, length, text. Version 1
 * (solana-foundation/SRFCs discussion 3): domain, version, signer count, signers, text.
 */
export function offChainForms(text: string, wallet: Uint8Array): Buffer[] {
  const body = Buffer.from(text, 'utf8');
  if (body.length === 0 || body.length > MAX_TEXT_BYTES) return [];
  const length = Buffer.alloc(2);
  length.writeUInt16LE(body.length);
  const full = (format: number): Buffer =>
    Buffer.concat([
      DOMAIN,
      Buffer.from([0]),
      Buffer.alloc(32),
      Buffer.from([format, 1]),
      wallet,
      length,
      body,
    ]);
  const short = (format: number): Buffer =>
    Buffer.concat([DOMAIN, Buffer.from([0, format]), length, body]);
  const versionOne = Buffer.concat([DOMAIN, Buffer.from([1, 1]), wallet, body]);
  return [...FORMATS.flatMap((format) => [full(format), short(format)]), versionOne];
}
