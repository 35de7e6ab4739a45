import { crc32, inflateSync } from 'node:zlib';
import { PNG_SIGNATURE } from './png';

/** Keyword of the tEXt chunk of an image that names the packages that drew it. */
export const DRAWN_WITH_KEY = 'Quittance-Drawn-With';

/** Chunks that follow from the pixels. */
const DRAWN: ReadonlySet<string> = new Set(['PLTE', 'IDAT']);

export type Chunk = { type: string; data: Buffer };

/** `form`: no canvas draws this. `pixels`: another canvas may have drawn it; by how much of 255 colours differ at most. */
export type Difference = { of: 'form'; why: string } | { of: 'pixels'; why: string; most: number };

/**
 * How an image differs from its second drawing; null where it does not. Pixels, colours and all
 * other chunks count, such as frames of an animation or a turned orientation. Left out: how the
 * pixels are compressed, which differs between releases of zlib, and the name of what drew it.
 */
export function differenceOf(image: Uint8Array, again: Uint8Array): Difference | null {
  const [given, drawn] = [readChunks(image), readChunks(again)];
  if (!drawn) throw new TypeError('the image that was drawn is not a PNG');
  if (!given) return { of: 'form', why: 'it is not a PNG, or data follows its end' };
  if (formOf(given) !== formOf(drawn))
    return { of: 'form', why: 'its size or the data around its pixels differs' };
  const pixels = pixelsOf(drawn, Infinity);
  const shown = pixels && pixelsOf(given, pixels.length);
  if (!pixels || shown?.length !== pixels.length)
    return { of: 'form', why: 'its pixels cannot be read' };
  const count = countOther(pixels, shown);
  const palettes = [dataOf(given, 'PLTE'), dataOf(drawn, 'PLTE')] as const;
  if (count === 0 && palettes[0].equals(palettes[1])) return null;
  const why = count > 0 ? `${count} of its pixels differ` : 'its colours differ';
  return { of: 'pixels', why, most: farthest({ shown, pixels, palettes, width: widthOf(drawn) }) };
}

/** Width in the header of a PNG. */
function widthOf(chunks: readonly Chunk[]): number {
  return dataOf(chunks, 'IHDR').readUInt32BE(0);
}

/**
 * The largest difference of a red, green or blue value. Pixels are indexes of a palette in rows led
 * by a filter byte, the form that the service writes. Filtered rows are not compared.
 */
function farthest(o: {
  shown: Buffer;
  pixels: Buffer;
  palettes: readonly [given: Buffer, drawn: Buffer];
  width: number;
}): number {
  const { shown, pixels, width } = o;
  const [given, drawn] = o.palettes;
  let most = 0;
  for (let at = 0; at < pixels.length; at += 1) {
    const [one, other] = [shown[at] ?? 0, pixels[at] ?? 0];
    if (at % (width + 1) === 0) {
      if (one !== other) return 255;
      continue;
    }
    for (let part = 0; part < 3; part += 1)
      most = Math.max(
        most,
        Math.abs((given[one * 3 + part] ?? 0) - (drawn[other * 3 + part] ?? 0)),
      );
  }
  return most;
}

/** The packages that an image says it was drawn with; null where it does not say. */
export function readDrawnWith(image: Uint8Array): string | null {
  const texts = readChunks(image)?.flatMap((chunk) => textOf(chunk) ?? []) ?? [];
  return texts.find(({ key }) => key === DRAWN_WITH_KEY)?.text ?? null;
}

/** The chunks of a PNG; null for bytes that are not a PNG from first to last. */
export function readChunks(png: Uint8Array): Chunk[] | null {
  const bytes = Buffer.from(png.buffer, png.byteOffset, png.byteLength);
  if (bytes.toString('hex', 0, 8) !== PNG_SIGNATURE) return null;
  const chunks: Chunk[] = [];
  let at = 8;
  while (at + 12 <= bytes.length) {
    const end = at + 8 + bytes.readUInt32BE(at);
    if (end + 4 > bytes.length) return null;
    if (bytes.readUInt32BE(end) !== crc32(bytes.subarray(at + 4, end))) return null;
    chunks.push({
      type: bytes.toString('latin1', at + 4, at + 8),
      data: bytes.subarray(at + 8, end),
    });
    at = end + 4;
  }
  return at === bytes.length && chunks.at(-1)?.type === 'IEND' ? chunks : null;
}

/** All chunks in their order, without colours, pixels and the names of the drawing packages. */
function formOf(chunks: readonly Chunk[]): string {
  return chunks
    .filter((chunk) => textOf(chunk)?.key !== DRAWN_WITH_KEY)
    .map(({ type, data }) => (DRAWN.has(type) ? type : `${type} ${data.toString('base64')}`))
    .join('\n');
}

function countOther(one: Buffer, other: Buffer): number {
  let count = 0;
  for (let at = 0; at < one.length; at += 1) if (one[at] !== other[at]) count += 1;
  return count;
}

/** Key and text of a tEXt chunk; null for another. */
export function textOf({ type, data }: Chunk): { key: string; text: string } | null {
  if (type !== 'tEXt') return null;
  const [key = '', ...text] = data.toString('latin1').split('\0');
  return { key, text: text.join('\0') };
}

/** The rows of an image; null where they cannot be unpacked, or are more than `most` bytes. */
export function pixelsOf(chunks: readonly Chunk[], most: number): Buffer | null {
  try {
    const limit = Number.isFinite(most) ? { maxOutputLength: Math.max(1, most) } : {};
    return inflateSync(dataOf(chunks, 'IDAT'), limit);
  } catch {
    return null;
  }
}

function dataOf(chunks: readonly Chunk[], wanted: string): Buffer {
  return Buffer.concat(chunks.flatMap(({ type, data }) => (type === wanted ? [data] : [])));
}
