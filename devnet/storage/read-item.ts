import { verify } from 'node:crypto';
import { DataItem, deserializeTags, MAX_TAG_BYTES } from '@irys/bundles/node';
import bs58 from 'bs58';
import { ed25519PublicKey } from '@quittance/verify/ed25519';
import type { Tag } from './item-store';

/**
 * A data item that its owner signed. Signature, target and anchor are base64url, as nodes return
 * them.
 */
export type Item = {
  id: string;
  raw: Buffer;
  /** The public key in base64url, and the same as a Solana address. */
  owner: string;
  address: string;
  signature: string;
  target: string;
  anchor: string;
  tags: Tag[];
  dataSize: number;
};

/**
 * Signature type of items signed by a Solana wallet. Only this type is paid for in this node's
 * token.
 */
const SOLANA_SIGNATURE_TYPE = 4;

/** Parses an upload, with the library of the real nodes' SDK, and checks its signature. */
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

/** Verifies like the library, whose Ed25519 in JavaScript takes eight times as long as Node's. */
async function isSigned(item: DataItem): Promise<boolean> {
  if (item.rawTags.length > MAX_TAG_BYTES) return false;
  // A wallet signs only texts, so this type of signature signs the bytes written in hex.
  const signed = Buffer.from(Buffer.from(await item.getSignatureData()).toString('hex'));
  return verify(null, signed, ed25519PublicKey(item.rawOwner), item.rawSignature);
}

/**
 * The signature covers neither the two flags nor the number of tags. The library takes any flag but
 * 1 as absent, and overlooks tags when their count is zero. Such bytes would be a second form of
 * the same item.
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

/** The data of an item that was verified when it arrived. */
export function dataOf(raw: Buffer): Buffer {
  return new DataItem(raw).rawData;
}
