import { verify } from 'node:crypto';
import { DataItem, deserializeTags, MAX_TAG_BYTES } from '@irys/bundles/node';
import bs58 from 'bs58';
import { ed25519PublicKey } from '@quittance/verify/ed25519';
import type { Tag } from './item-store';

/** A data item that its owner signed. Signature, target and anchor are base64url, as nodes return them. */
export type Item = {
  id: string;
  raw: Buffer;
  /** Base64url public key, and the same as a Solana address. */
  owner: string;
  address: string;
  signature: string;
  target: string;
  anchor: string;
  tags: Tag[];
  dataSize: number;
};

/** Signature type of items signed by a Solana wallet: the only one paid for in this node's token. */
const SOLANA_SIGNATURE_TYPE = 4;

/** Takes an upload apart, with the library that the real nodes' SDK uses, and checks its signature. */
export async function readItem(raw: Buffer): Promise<Item | { refusal: string }> {
  try {
    if (raw.length < 2 || raw.readUInt16LE() !== SOLANA_SIGNATURE_TYPE)
      return { refusal: 'Invalid signature type' };
    const item = new DataItem(raw);
    if (!(await isSigned(item))) return { refusal: 'Invalid signature' };
    if (!isExact(item)) return { refusal: 'Invalid data item' };
    const { id, owner, signature, target, anchor, tags } = item;
    const address = bs58.encode(item.rawOwner);
    const dataSize = item.rawData.length;
    return { id, raw, owner, address, signature, target, anchor, tags, dataSize };
  } catch {
    return { refusal: 'Invalid data item' };
  }
}

/** As the library verifies it, whose Ed25519 in JavaScript takes eight times as long as that of Node. */
async function isSigned(item: DataItem): Promise<boolean> {
  if (item.rawTags.length > MAX_TAG_BYTES) return false;
  // A wallet signs texts alone, so for this type of signature the bytes are written in hex.
  const signed = Buffer.from(Buffer.from(await item.getSignatureData()).toString('hex'));
  return verify(null, signed, ed25519PublicKey(item.rawOwner), item.rawSignature);
}

/**
 * The signature covers neither the two flags nor the number of tags, and the library takes any flag but 1 for
 * none and overlooks tags that are counted as none: such bytes would be a second form of one item.
 */
function isExact(item: DataItem): boolean {
  const raw = item.getRaw();
  const targetFlag = raw[2 + 64 + 32];
  const anchorAt = 2 + 64 + 32 + 1 + item.rawTarget.length;
  const tagsAt = anchorAt + 1 + item.rawAnchor.length;
  const count = raw.readBigUInt64LE(tagsAt);
  return (
    targetFlag === Math.sign(item.rawTarget.length) &&
    raw[anchorAt] === Math.sign(item.rawAnchor.length) &&
    count === BigInt(deserializeTags(item.rawTags).length)
  );
}

/** The data of an item that was verified when it came. */
export function dataOf(raw: Buffer): Buffer {
  return new DataItem(raw).rawData;
}
