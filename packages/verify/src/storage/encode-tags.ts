export type Tag = { name: string; value: string };

/** Limits of ANS-104, the standard of signed data items. Nodes refuse items above them. */
export const MAX_TAGS_BYTES = 4096;
const MAX_TAGS = 128;
const MAX_NAME_BYTES = 1024;
const MAX_VALUE_BYTES = 3072;

/**
 * Tags in the form of an item: an Avro array of (name, value) in one block. No tags are no bytes.
 * Throws a RangeError for tags that a node would refuse.
 */
export function encodeTags(tags: readonly Tag[]): Uint8Array {
  if (tags.length === 0) return new Uint8Array(0);
  if (tags.length > MAX_TAGS) throw new RangeError(`an item takes at most ${MAX_TAGS} tags`);
  const bytes = Buffer.concat([
    encodeLong(tags.length),
    ...tags.flatMap(({ name, value }) => [
      encodeText('name', name, MAX_NAME_BYTES),
      encodeText('value', value, MAX_VALUE_BYTES),
    ]),
    encodeLong(0),
  ]);
  if (bytes.length > MAX_TAGS_BYTES)
    throw new RangeError(`the tags of an item take at most ${MAX_TAGS_BYTES} bytes`);
  return bytes;
}

/** The tags in these bytes, or null when the bytes are not exactly one Avro array of tags. */
export function decodeTags(bytes: Uint8Array): Tag[] | null {
  if (bytes.length === 0) return [];
  if (bytes.length > MAX_TAGS_BYTES) return null;
  const reader = readFrom(bytes);
  const tags: Tag[] = [];
  for (;;) {
    const count = reader.long();
    if (count === null) return null;
    if (count === 0) return reader.atEnd() ? tags : null;
    // Avro writes a negative count when the block's size in bytes follows it.
    if (count < 0 && reader.long() === null) return null;
    if (tags.length + Math.abs(count) > MAX_TAGS) return null;
    for (let i = 0; i < Math.abs(count); i++) {
      const name = reader.text();
      const value = reader.text();
      if (name === null || value === null) return null;
      tags.push({ name, value });
    }
  }
}

function encodeText(what: string, text: string, most: number): Uint8Array {
  const bytes = Buffer.from(text);
  if (bytes.length === 0 || bytes.length > most)
    throw new RangeError(`the ${what} of a tag takes 1 to ${most} bytes`);
  return Buffer.concat([encodeLong(bytes.length), bytes]);
}

/** Avro's long: zig-zag, seven bits a byte, least first. Tags need no negative ones. */
function encodeLong(value: number): Uint8Array {
  const bytes: number[] = [];
  let rest = value * 2;
  while (rest > 0x7f) {
    bytes.push((rest & 0x7f) | 0x80);
    rest = Math.floor(rest / 128);
  }
  bytes.push(rest);
  return Uint8Array.from(bytes);
}

function readFrom(bytes: Uint8Array) {
  // Text that is not UTF-8 changes when it is encoded again, so it is refused.
  const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
  let at = 0;
  const long = (): number | null => {
    let zigzag = 0;
    // Four bytes hold 28 bits, far more than the 4,096 bytes that tags may have.
    for (let shift = 0; shift < 28; shift += 7) {
      const byte = bytes[at++];
      if (byte === undefined) return null;
      zigzag |= (byte & 0x7f) << shift;
      if (byte < 0x80) return (zigzag >>> 1) ^ -(zigzag & 1);
    }
    return null;
  };
  const text = (): string | null => {
    const length = long();
    if (length === null || length < 0 || at + length > bytes.length) return null;
    at += length;
    try {
      return decoder.decode(bytes.subarray(at - length, at));
    } catch {
      return null;
    }
  };
  return { long, text, atEnd: () => at === bytes.length };
}
