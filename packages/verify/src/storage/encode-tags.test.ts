import fc from 'fast-check';
import { expect, test } from 'vitest';
import { decodeTags, encodeTags } from './encode-tags';

const text = fc.string({ unit: 'binary', minLength: 1, maxLength: 60 });
const tags = fc.array(fc.record({ name: text, value: text }), { maxLength: 12 });

test('encoded tags are decoded to what they were', () => {
  fc.assert(
    fc.property(tags, (given) => {
      expect(decodeTags(encodeTags(given))).toEqual(given);
    }),
  );
});

test('bytes that are not exactly one array of tags are null', () => {
  const bytes = encodeTags([
    { name: 'a', value: 'b' },
    { name: 'c', value: 'd'.repeat(100) },
  ]);
  for (let length = 1; length < bytes.length; length++)
    expect([length, decodeTags(bytes.subarray(0, length))]).toEqual([length, null]);
  expect(decodeTags(Uint8Array.from([...bytes, 0]))).toBeNull();
  const notUtf8 = [2, 2, 0x61, 2, 0xff, 0];
  expect(decodeTags(Uint8Array.from(notUtf8))).toBeNull();
  expect(decodeTags(new Uint8Array(4097).fill(0xff))).toBeNull();
});

test('a block with its size in bytes is read as well, because Avro allows it', () => {
  const sized = [1, 8, 2, 0x61, 2, 0x62, 0];
  expect(decodeTags(Uint8Array.from(sized))).toEqual([{ name: 'a', value: 'b' }]);
});

test('any bytes are decoded without an exception', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
      const decoded = decodeTags(bytes);
      return decoded === null || Array.isArray(decoded);
    }),
  );
});
