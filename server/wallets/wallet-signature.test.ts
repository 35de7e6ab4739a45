import { createPrivateKey, sign } from 'node:crypto';
import {
  address,
  compileOffchainMessageV0Envelope,
  compileOffchainMessageV1Envelope,
  offchainMessageApplicationDomain,
  offchainMessageContentRestrictedAsciiOf1232BytesMax,
  offchainMessageContentUtf8Of1232BytesMax,
} from '@solana/kit';
import bs58 from 'bs58';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { makeEmbeddedKey, publicKeyOf } from '@/server/keys';
import { isSignature, isWalletAddress } from '@quittance/verify/wallets/base58';
import { verifyWalletSignature } from './wallet-signature';

const TEXT = 'quittance:5VfYmGBXg1c4hDe3sLn';
const SYSTEM_PROGRAM = '11111111111111111111111111111111';

function makeWallet() {
  const secret = makeEmbeddedKey();
  const prefix = Buffer.from('302e020100300506032b657004220420', 'hex');
  const key = createPrivateKey({
    key: Buffer.concat([prefix, secret.subarray(0, 32)]),
    format: 'der',
    type: 'pkcs8',
  });
  return {
    wallet: publicKeyOf(secret),
    sign: (bytes: Uint8Array | string) => bs58.encode(sign(null, Buffer.from(bytes), key)),
  };
}
const alice = makeWallet();
const bob = makeWallet();
const accepts = (signature: string, text = TEXT, wallet = alice.wallet): boolean =>
  verifyWalletSignature({ wallet, signature, text });

/** Messages as @solana/kit writes them, which shares no code with the verifier. */
const envelope = {
  applicationDomain: offchainMessageApplicationDomain(SYSTEM_PROGRAM),
  requiredSignatories: [{ address: address(alice.wallet) }] as const,
};
const ascii = (text: string) =>
  compileOffchainMessageV0Envelope({
    ...envelope,
    version: 0,
    content: offchainMessageContentRestrictedAsciiOf1232BytesMax(text),
  }).content;
const utf8 = (text: string) =>
  compileOffchainMessageV0Envelope({
    ...envelope,
    version: 0,
    content: offchainMessageContentUtf8Of1232BytesMax(text),
  }).content;

describe('a wallet signature', () => {
  it('over the text is accepted, for this wallet and this text alone', () => {
    const signature = alice.sign(TEXT);
    expect(accepts(signature)).toBe(true);
    expect(accepts(signature, `${TEXT} `)).toBe(false);
    expect(accepts(signature, TEXT, bob.wallet)).toBe(false);
    expect(accepts(bob.sign(TEXT))).toBe(false);
  });

  it('over UTF-8 text is accepted', () => {
    expect(accepts(alice.sign('Zürich ✓'), 'Zürich ✓')).toBe(true);
  });

  it('over the off-chain message with the full header is accepted', () => {
    expect(accepts(alice.sign(Uint8Array.from(ascii(TEXT))))).toBe(true);
    expect(accepts(alice.sign(Uint8Array.from(utf8('Zürich'))), 'Zürich')).toBe(true);
    expect(accepts(alice.sign(Uint8Array.from(ascii('another text'))))).toBe(false);
  });

  it('over the off-chain message with the short header is accepted', () => {
    const header = Buffer.from([0xff, ...Buffer.from('solana offchain'), 0, 0, TEXT.length, 0]);
    expect(accepts(alice.sign(Buffer.concat([header, Buffer.from(TEXT)])))).toBe(true);
  });

  it('over a version 1 off-chain message is accepted', () => {
    const { content } = compileOffchainMessageV1Envelope({
      version: 1,
      requiredSignatories: envelope.requiredSignatories,
      content: TEXT,
    });
    expect(accepts(alice.sign(Uint8Array.from(content)))).toBe(true);
  });

  it('over an off-chain message that names another signer is refused', () => {
    const bytes = Buffer.from(Uint8Array.from(ascii(TEXT)));
    bytes.set(bs58.decode(bob.wallet), 51);
    expect(accepts(alice.sign(bytes))).toBe(false);
  });

  it('cannot be made for a key of small order, such as the System program', () => {
    // R = identity, S = 0 holds for every text whose hash is a multiple of the key's order.
    const forged = bs58.encode(Buffer.concat([Buffer.from([1]), Buffer.alloc(63)]));
    const identity = bs58.encode(Buffer.concat([Buffer.from([1]), Buffer.alloc(31)]));
    for (let n = 0; n < 40; n += 1)
      for (const wallet of [SYSTEM_PROGRAM, identity])
        expect(accepts(forged, `text ${n}`, wallet)).toBe(false);
  });

  it('with a second form of S is refused', () => {
    const order = 2n ** 252n + 27742317777372353535851937790883648493n;
    const bytes = Buffer.from(bs58.decode(alice.sign(TEXT)));
    const s = BigInt(`0x${Buffer.from(bytes.subarray(32)).reverse().toString('hex')}`) + order;
    const other = Buffer.from(s.toString(16).padStart(64, '0'), 'hex').reverse();
    expect(accepts(bs58.encode(Buffer.concat([bytes.subarray(0, 32), other])))).toBe(false);
  });

  it('never throws on garbage', () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), fc.string(), (wallet, signature, text) => {
        expect(verifyWalletSignature({ wallet, signature, text })).toBe(false);
        expect(verifyWalletSignature({ wallet: alice.wallet, signature, text })).toBe(false);
      }),
    );
    const random = fc.uint8Array({ minLength: 32, maxLength: 32 });
    fc.assert(
      fc.property(random, random, (key, half) => {
        const signature = bs58.encode(Buffer.concat([half, half]));
        expect(accepts(signature, TEXT, bs58.encode(key))).toBe(false);
      }),
    );
  });
});

describe('base58 texts', () => {
  it('are addresses of exactly 32 bytes and signatures of exactly 64', () => {
    expect(isWalletAddress(alice.wallet)).toBe(true);
    expect(isWalletAddress(SYSTEM_PROGRAM)).toBe(true);
    expect(isSignature(alice.sign(TEXT))).toBe(true);
    for (const bytes of [0, 31, 33, 64])
      expect(isWalletAddress(bs58.encode(Buffer.alloc(bytes, 255)))).toBe(false);
    for (const bytes of [0, 32, 63, 65])
      expect(isSignature(bs58.encode(Buffer.alloc(bytes, 255)))).toBe(false);
    for (const bytes of [0, 255]) {
      expect(isWalletAddress(bs58.encode(Buffer.alloc(32, bytes)))).toBe(true);
      expect(isSignature(bs58.encode(Buffer.alloc(64, bytes)))).toBe(true);
    }
  });

  it('of other alphabets, with spaces or of any length are refused quickly', () => {
    const bad = [
      '',
      ' ',
      `${alice.wallet} `,
      `0${alice.wallet.slice(1)}`,
      `${alice.wallet}\n`,
      'ł',
    ];
    for (const text of [...bad, '1'.repeat(1_000_000), 'z'.repeat(1_000_000)]) {
      expect(isWalletAddress(text)).toBe(false);
      expect(isSignature(text)).toBe(false);
    }
  });
});
