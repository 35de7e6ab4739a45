import { createData, DataItem, HexSolanaSigner } from '@irys/bundles/node';
import bs58 from 'bs58';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { localSigner, makeEmbeddedKey, publicKeyOf } from '@/server/keys';
import { signByHand } from './sign-by-hand.fixture';
import { FREE_ITEM_BYTES, hexSha256, signItem } from './sign-item';
import { itemData, verifyItem } from '@quittance/verify/storage/verify-item';

const secret = makeEmbeddedKey();
const key = { secret, publicKey: publicKeyOf(secret) };
const data = Buffer.from('{"name":"Receipt"}');
const signer = localSigner(key);
const input = { signer, data, contentType: 'application/json', tags: [], anchorSeed: 'receipt:1' };

const text = (most: number) => fc.string({ unit: 'grapheme', minLength: 1, maxLength: most });
const tag = fc.record({ name: text(40), value: text(80) });

test('equal input gives the bytes and the id that the SDK’s own library gives', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.uint8Array({ maxLength: 3000 }),
      fc.array(tag, { maxLength: 20 }),
      fc.string(),
      async (bytes, tags, anchorSeed) => {
        const wanted = { data: bytes, contentType: 'image/png', tags, anchorSeed };
        const item = await signItem({ signer, ...wanted });
        const byHand = signByHand({ key, ...wanted });
        expect([item.id, item.dataSha256]).toEqual([byHand.id, byHand.dataSha256]);
        expect(Buffer.from(item.raw).equals(byHand.raw)).toBe(true);
        const whole = new HexSolanaSigner(bs58.encode(secret));
        const theirs = createData(bytes, whole, {
          tags: [{ name: 'Content-Type', value: 'image/png' }, ...tags],
          anchor: hexSha256(Buffer.from(anchorSeed)).slice(0, 32),
        });
        await theirs.sign(whole);
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

test('the address is the same at every signing, and another one for another seed, type or tag', async () => {
  const { id } = await signItem(input);
  expect((await signItem(input)).id).toBe(id);
  const others = await Promise.all([
    signItem({ ...input, anchorSeed: 'receipt:2' }),
    signItem({ ...input, contentType: 'text/plain' }),
    signItem({ ...input, tags: [{ name: 'a', value: 'b' }] }),
  ]);
  expect(new Set([id, ...others.map((item) => item.id)]).size).toBe(4);
});

test('a Content-Type among the tags does not become a second one', async () => {
  const tags = [{ name: 'Content-Type', value: 'application/json' }];
  expect((await signItem({ ...input, tags })).id).toBe((await signItem(input)).id);
});

test('an item that would have to be paid for is not signed', async () => {
  const header = (await signItem({ ...input, data: Buffer.alloc(0) })).raw.length;
  const largest = Buffer.alloc(FREE_ITEM_BYTES - 1 - header);
  expect((await signItem({ ...input, data: largest })).raw.length).toBe(FREE_ITEM_BYTES - 1);
  const tooLarge = Buffer.alloc(largest.length + 1);
  await expect(signItem({ ...input, data: tooLarge })).rejects.toThrow(/less than 102400/);
});

test('tags that a node refuses are not signed', async () => {
  const sign = (tags: { name: string; value: string }[]) => signItem({ ...input, tags });
  await expect(sign([{ name: '', value: 'x' }])).rejects.toThrow(RangeError);
  await expect(sign([{ name: 'x', value: '' }])).rejects.toThrow(RangeError);
  await expect(sign([{ name: 'x', value: 'é'.repeat(1537) }])).rejects.toThrow(RangeError);
  await expect(
    sign(Array.from({ length: 128 }, () => ({ name: 'x', value: 'y' }))),
  ).rejects.toThrow(RangeError);
  await expect(sign([1, 2].map(() => ({ name: 'x', value: 'y'.repeat(2100) })))).rejects.toThrow(
    RangeError,
  );
});
