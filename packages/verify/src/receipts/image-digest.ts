import { createHash } from 'node:crypto';
import canonicalize from 'canonicalize';
import { PNG_SIGNATURE } from '../images/png';

/** Keyword of the tEXt chunk of an image that names its facts. */
export const FACTS_KEY = 'Quittance-Facts';

/**
 * Digest of a metadata file without the address of its image, which follows from the image. It is
 * `sha256:` and the hex of the canonical JSON without `image` and `properties`. Throws when the
 * bytes are not a JSON object.
 */
export function factsDigest(metadata: Uint8Array): string {
  const json: unknown = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(metadata));
  if (typeof json !== 'object' || json === null)
    throw new TypeError('the metadata is not an object');
  const facts = Object.entries(json).filter(([key]) => key !== 'image' && key !== 'properties');
  const text = canonicalize(Object.fromEntries(facts));
  if (text === undefined) throw new TypeError('the metadata has no JSON form');
  return `sha256:${createHash('sha256').update(text).digest('hex')}`;
}

/**
 * The digest that an image carries; null for an image without one and for bytes that are not a PNG.
 */
export function readFactsDigest(png: Uint8Array): string | null {
  const bytes = Buffer.from(png.buffer, png.byteOffset, png.byteLength);
  if (bytes.toString('hex', 0, 8) !== PNG_SIGNATURE) return null;
  for (let at = 8; at + 12 <= bytes.length;) {
    const length = bytes.readUInt32BE(at);
    const type = bytes.toString('latin1', at + 4, at + 8);
    const [key, text] = bytes.toString('latin1', at + 8, at + 8 + length).split('\0', 2);
    if (type === 'tEXt' && key === FACTS_KEY && text !== undefined) return text;
    // Chunks after the pixels are not part of the drawing.
    if (type === 'IDAT') return null;
    at += 12 + length;
  }
  return null;
}
