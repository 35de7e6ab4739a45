import { createHash } from 'node:crypto';
import { decodeTags, MAX_TAGS_BYTES, type Tag } from './encode-tags';

/**
 * The bytes of an ANS-104 data item signed by a Solana key (signature type 4), in the form that
 * Irys and other bundlers accept. The integers are little-endian: `type u16 | signature 64 | owner
 * 32 | target flag (+32) | anchor flag (+32) | tag count u64 | tag bytes u64 | tags | data`.
 */
export type ItemFields = {
  signature: Uint8Array;
  /** Public key of the signer. */
  owner: Uint8Array;
  /** 32 bytes, or empty when there is none; so is the anchor. */
  target: Uint8Array;
  anchor: Uint8Array;
  tagBytes: Uint8Array;
  data: Uint8Array;
};

export type ParsedItem = ItemFields & { tags: Tag[] };

const SIGNATURE_TYPE = 4;
const SIGNATURE_BYTES = 64;
const KEY_BYTES = 32;

/** The whole item; `tagCount` must be the number of tags in `tagBytes`. */
export function writeItem(fields: ItemFields, tagCount: number): Uint8Array {
  return Buffer.concat([
    Uint8Array.of(SIGNATURE_TYPE, 0),
    fields.signature,
    fields.owner,
    optional(fields.target),
    optional(fields.anchor),
    u64(tagCount),
    u64(fields.tagBytes.length),
    fields.tagBytes,
    fields.data,
  ]);
}

/** Takes an item apart, or null when the bytes are not a whole one of this signature type. */
export function parseItem(raw: Uint8Array): ParsedItem | null {
  const view = Buffer.from(raw.buffer, raw.byteOffset, raw.byteLength);
  let at = 0;
  const take = (length: number): Buffer | null => {
    if (at + length > view.length) return null;
    at += length;
    return view.subarray(at - length, at);
  };
  const takeOptional = (): Buffer | null => {
    const flag = take(1)?.[0];
    if (flag === 0) return Buffer.alloc(0);
    return flag === 1 ? take(KEY_BYTES) : null;
  };
  if (take(2)?.readUInt16LE() !== SIGNATURE_TYPE) return null;
  const signature = take(SIGNATURE_BYTES);
  const owner = take(KEY_BYTES);
  const target = takeOptional();
  const anchor = takeOptional();
  const count = take(8)?.readBigUInt64LE();
  const size = take(8)?.readBigUInt64LE();
  if (size === undefined || size > BigInt(MAX_TAGS_BYTES)) return null;
  const tagBytes = take(Number(size));
  if (!signature || !owner || !target || !anchor || !tagBytes) return null;
  const tags = decodeTags(tagBytes);
  if (!tags || BigInt(tags.length) !== count) return null;
  return { signature, owner, target, anchor, tagBytes, tags, data: view.subarray(at) };
}

/**
 * The signed text: the hex form of the item's deep hash (Arweave's SHA-384 tree). Signature type 4
 * signs text, because wallets show and sign messages as text.
 */
export function textToSign(fields: Omit<ItemFields, 'signature'>): Uint8Array {
  const digest = deepHash([
    Buffer.from('dataitem'),
    Buffer.from('1'),
    Buffer.from(String(SIGNATURE_TYPE)),
    fields.owner,
    fields.target,
    fields.anchor,
    fields.tagBytes,
    fields.data,
  ]);
  return Buffer.from(digest.toString('hex'));
}

function deepHash(parts: Uint8Array[]): Buffer {
  return parts.reduce<Buffer>(
    (hash, part) => sha384(hash, sha384(sha384(Buffer.from(`blob${part.length}`)), sha384(part))),
    sha384(Buffer.from(`list${parts.length}`)),
  );
}

function sha384(...parts: Uint8Array[]): Buffer {
  const hash = createHash('sha384');
  for (const part of parts) hash.update(part);
  return hash.digest();
}

function optional(bytes: Uint8Array): Uint8Array {
  return Buffer.concat([Uint8Array.of(bytes.length === 0 ? 0 : 1), bytes]);
}

function u64(value: number): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64LE(BigInt(value));
  return bytes;
}
