import { generateKeyPairSync } from 'node:crypto';
import bs58 from 'bs58';
import { describe, expect, it } from 'vitest';
import { isEmbeddedKey, makeEmbeddedKey, parseSecretKey, publicKeyOf } from './keys';

function ordinaryKey(): Uint8Array {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519');
  return new Uint8Array(
    Buffer.concat([
      privateKey.export({ format: 'der', type: 'pkcs8' }).subarray(-32),
      publicKey.export({ format: 'der', type: 'spki' }).subarray(-32),
    ]),
  );
}

describe('secret keys', () => {
  it('are read as base58 and as a JSON array of bytes', () => {
    const key = ordinaryKey();
    expect(parseSecretKey(bs58.encode(key))).toEqual(key);
    expect(parseSecretKey(` ${JSON.stringify([...key])}\n`)).toEqual(key);
    expect(publicKeyOf(key)).toBe(bs58.encode(key.subarray(32)));
  });

  it('are refused when the public half is of another key', () => {
    const mixed = Uint8Array.from([
      ...ordinaryKey().subarray(0, 32),
      ...ordinaryKey().subarray(32),
    ]);
    expect(parseSecretKey(bs58.encode(mixed))).toBeNull();
  });

  it.each(['', 'hello', '[1,2,3]', '[1,2', '{"a":1}', bs58.encode(new Uint8Array(32))])(
    'are refused when malformed: %j',
    (text) => {
      expect(parseSecretKey(text)).toBeNull();
    },
  );

  it('made by the embedded stack are recognised by the key alone', () => {
    const embedded = makeEmbeddedKey();
    expect(isEmbeddedKey(embedded)).toBe(true);
    expect(parseSecretKey(bs58.encode(embedded))).toEqual(embedded);
    expect(isEmbeddedKey(ordinaryKey())).toBe(false);
  });
});
