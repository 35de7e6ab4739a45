import { verify } from 'node:crypto';
import bs58 from 'bs58';
import { ed25519PublicKey } from '../ed25519';
import { encodeTags, type Tag } from './encode-tags';
import { parseItem, textToSign, type ItemFields } from './item-format';
import { itemId } from './item-id';

/** The description of an item by a storage node, without its data. */
export type ItemParts = {
  id: string;
  signature: Uint8Array;
  /** Base58 public key of the signer. */
  owner: string;
  /** 32 bytes, or empty when there is none. */
  anchor: Uint8Array;
  tags: Tag[];
  data: Uint8Array;
};

/** Whether these bytes are a whole data item that its owner signed. */
export function verifyItem(raw: Uint8Array): boolean {
  const item = parseItem(raw);
  return item !== null && isSigned(item);
}

/** Whether these parts belong together: the owner signed just this anchor, tags and data, and `id` is the item's. */
export function verifyItemParts(parts: ItemParts): boolean {
  if (itemId(parts.signature) !== parts.id) return false;
  const owner = bs58.decodeUnsafe(parts.owner);
  if (owner?.length !== 32 || ![0, 32].includes(parts.anchor.length)) return false;
  let tagBytes: Uint8Array;
  try {
    tagBytes = encodeTags(parts.tags);
  } catch {
    return false; // Tags that no item can carry were not signed.
  }
  const { signature, anchor, data } = parts;
  return isSigned({ signature, owner, target: new Uint8Array(0), anchor, tagBytes, data });
}

/** The data of an item. Throws when the bytes are not an item: they come from our own table. */
export function itemData(raw: Uint8Array): Uint8Array {
  const item = parseItem(raw);
  if (!item) throw new Error('the stored bytes are not a data item');
  return item.data;
}

function isSigned(item: ItemFields): boolean {
  return verify(null, textToSign(item), ed25519PublicKey(item.owner), item.signature);
}
