import { sign } from 'node:crypto';
import { ed25519PrivateKey } from '@quittance/verify/ed25519';
import { encodeTags, type Tag } from '@quittance/verify/storage/encode-tags';
import { textToSign, writeItem } from '@quittance/verify/storage/item-format';
import { itemId } from '@quittance/verify/storage/item-id';
import type { SecretKey } from '@/server/env';
import { hexSha256, type SignedItem } from './sign-item';

/** An item as ANS-104 says, written by the code of the verifier: what the library must give as well. */
export function signByHand(o: {
  key: SecretKey;
  data: Uint8Array;
  contentType: string;
  tags: Tag[];
  anchorSeed: string;
}): SignedItem {
  const tags = [{ name: 'Content-Type', value: o.contentType }, ...o.tags];
  const unsigned = {
    owner: o.key.secret.subarray(32, 64),
    target: new Uint8Array(0),
    anchor: Buffer.from(hexSha256(Buffer.from(o.anchorSeed)).slice(0, 32)),
    tagBytes: encodeTags(tags),
    data: o.data,
  };
  const signature = sign(null, textToSign(unsigned), ed25519PrivateKey(o.key.secret));
  return {
    id: itemId(signature),
    raw: writeItem({ ...unsigned, signature }, tags.length),
    dataSha256: hexSha256(o.data),
    owner: o.key.publicKey,
    contentType: o.contentType,
  };
}
