import { createData, EthereumSigner } from '@irys/bundles/node';
import { randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { makeEmbeddedKey, publicKeyOf } from '@/server/keys';
import { parseItem } from '@quittance/verify/storage/item-format';
import { signByHand } from './sign-by-hand.fixture';
import { itemData, verifyItem, verifyItemParts } from '@quittance/verify/storage/verify-item';

const secret = makeEmbeddedKey();
const item = signByHand({
  key: { secret, publicKey: publicKeyOf(secret) },
  data: Buffer.from('{"amount":"1.5"}'),
  contentType: 'application/json',
  tags: [{ name: 'App-Name', value: 'quittance' }],
  anchorSeed: 'receipt:1:metadata:v1',
});

function parts() {
  const parsed = parseItem(item.raw);
  if (!parsed) throw new Error('the item does not parse');
  const { signature, anchor, tags, data } = parsed;
  return { id: item.id, owner: item.owner, signature, anchor, tags, data };
}

test('an item with any byte changed, a byte more or a byte less does not verify', () => {
  expect(verifyItem(item.raw)).toBe(true);
  for (let at = 0; at < item.raw.length; at++)
    for (const bit of [1, 2, 128]) {
      const tampered = Uint8Array.from(item.raw);
      tampered[at] = (tampered[at] ?? 0) ^ bit;
      expect([at, bit, verifyItem(tampered)]).toEqual([at, bit, false]);
    }
  expect(verifyItem(Buffer.concat([item.raw, Buffer.from([0])]))).toBe(false);
  for (let length = 0; length < item.raw.length; length++)
    expect(verifyItem(item.raw.subarray(0, length))).toBe(false);
});

test('bytes of any kind are judged without an exception', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 400 }), (bytes) => {
      const headed = Uint8Array.from([4, 0, ...bytes]);
      return !verifyItem(bytes) && !verifyItem(headed);
    }),
  );
});

test('an item signed by another kind of key does not verify', async () => {
  const signer = new EthereumSigner(randomBytes(32).toString('hex'));
  const other = createData('{}', signer);
  await other.sign(signer);
  expect(verifyItem(other.getRaw())).toBe(false);
});

test('parts verify together, and not when one of them is another’s', () => {
  expect(verifyItemParts(parts())).toBe(true);
  const other = signByHand({
    key: { secret, publicKey: publicKeyOf(secret) },
    data: Buffer.from('{"amount":"2.5"}'),
    contentType: 'application/json',
    tags: [],
    anchorSeed: 'receipt:2:metadata:v1',
  });
  const theirs = parseItem(other.raw);
  if (!theirs) throw new Error('the item does not parse');
  const { signature, anchor, tags, data } = theirs;
  const stranger = publicKeyOf(makeEmbeddedKey());
  for (const wrong of [
    { id: other.id },
    { signature },
    { owner: stranger },
    { owner: 'not base58: 0OIl' },
    { anchor },
    { anchor: new Uint8Array(0) },
    { anchor: new Uint8Array(31) },
    { tags },
    { tags: [{ name: '', value: '' }] },
    { data },
    { id: other.id, signature },
  ])
    expect([wrong, verifyItemParts({ ...parts(), ...wrong })]).toEqual([wrong, false]);
});

test('the data of an item is what was signed, and bytes that are no item are an error', () => {
  expect(Buffer.from(itemData(item.raw)).toString()).toBe('{"amount":"1.5"}');
  expect(() => itemData(item.raw.subarray(0, 100))).toThrow(/not a data item/);
});
