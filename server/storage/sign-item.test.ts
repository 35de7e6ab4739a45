import { createData, DataItem, HexSolanaSigner } from '@irys/bundles/node';
import bs58 from 'bs58';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { makeEmbeddedKey, publicKeyOf } from '@/server/keys';
import { FREE_ITEM_BYTES, hexSha256, signItem } from './sign-item';
import { itemData, verifyItem } from '@quittance/verify/storage/verify-item';

const secret = makeEmbeddedKey();
const key = { secret, publicKey: publicKeyOf(secret) };
const data = Buffer.from('{"name":"Receipt"}');
const input = { key, data, contentType: 'application/json', tags: [], anchorSeed: 'receipt:1' };

const text = (most: number) => fc.string({ unit: 'grapheme', minLength: 1, maxLength: most });
const tag = fc.record({ name: text(40), value: text(80) });

test('equal input gives the bytes and the id that the SDK’s own library gives', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.uint8Array({ maxLength: 3000 }),
      fc.array(tag, { maxLength: 20 }),
      fc.string(),
      async (bytes, tags, anchorSeed) => {
        const item = signItem({ key, data: bytes, contentType: 'image/png', tags, anchorSeed });
        const signer = new HexSolanaSigner(bs58.encode(secret));
        const theirs = createData(bytes, signer, {
          tags: [{ name: 'Content-Type', value: 'image/png' }, ...tags],
          anchor: hexSha256(Buffer.from(anchorSeed)).slice(0, 32),
        });
        await theirs.sign(signer);
        expect(Buffer.from(item.raw).equals(theirs.getRaw())).toBe(true);
        expect(item.id).toBe(theirs.id);
        expect(await DataItem.verify(Buffer.from(item.raw))).toBe(true);
        expect(verifyItem(theirs.getRaw())).toBe(true);
        expect(Buffer.from(itemData(item.raw)).equals(bytes)).toBe(true);
      },
    ),
    { numRuns: 60 },
  );
});

test('the address is the same at every signing, and another one for another seed, type or tag', () => {
  const id = signItem(input).id;
  expect(signItem(input).id).toBe(id);
  const others = [
    signItem({ ...input, anchorSeed: 'receipt:2' }),
    signItem({ ...input, contentType: 'text/plain' }),
    signItem({ ...input, tags: [{ name: 'a', value: 'b' }] }),
  ];
  expect(new Set([id, ...others.map((item) => item.id)]).size).toBe(4);
});

test('a Content-Type among the tags does not become a second one', () => {
  const tags = [{ name: 'Content-Type', value: 'application/json' }];
  expect(signItem({ ...input, tags }).id).toBe(signItem(input).id);
});

test('an item that would have to be paid for is not signed', () => {
  const header = signItem({ ...input, data: Buffer.alloc(0) }).raw.length;
  const largest = Buffer.alloc(FREE_ITEM_BYTES - 1 - header);
  expect(signItem({ ...input, data: largest }).raw.length).toBe(FREE_ITEM_BYTES - 1);
  const tooLarge = Buffer.alloc(largest.length + 1);
  expect(() => signItem({ ...input, data: tooLarge })).toThrow(/less than 102400/);
});

test('tags that a node refuses are not signed', () => {
  const sign = (tags: { name: string; value: string }[]) => () => signItem({ ...input, tags });
  expect(sign([{ name: '', value: 'x' }])).toThrow(RangeError);
  expect(sign([{ name: 'x', value: '' }])).toThrow(RangeError);
  expect(sign([{ name: 'x', value: 'é'.repeat(1537) }])).toThrow(RangeError);
  expect(sign(Array.from({ length: 128 }, () => ({ name: 'x', value: 'y' })))).toThrow(RangeError);
  expect(sign([1, 2].map(() => ({ name: 'x', value: 'y'.repeat(2100) })))).toThrow(RangeError);
});
