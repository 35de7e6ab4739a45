import { type Chunk, DRAWN_WITH_KEY, pixelsOf, readChunks, textOf } from './compare-images';

/** Pixels on each side of the square. */
export const SIZE = 1000;
/** Eight bits a pixel, which are the index of a colour, not interlaced: what follows the size in a PNG's header. */
const INDEXED = '0803000000';
const TYPES: ReadonlySet<string> = new Set(['IHDR', 'PLTE', 'tEXt', 'IDAT', 'IEND']);
const ONCE = ['IHDR', 'PLTE', 'IEND'] as const;

/**
 * Why an image is not of the form in which the service writes every image, or null. A frame of an animation, a comment
 * or a page behind its end would show something else than was signed for. `factsKey`: the text that names its facts.
 */
export function faultOfImage(png: Uint8Array, factsKey: string): string | null {
  const chunks = readChunks(png);
  if (!chunks) return 'it is not a PNG, or data follows its end';
  const other = chunks.find(({ type }) => !TYPES.has(type));
  if (other) return `it has a part ${JSON.stringify(other.type)}`;
  if (ONCE.some((type) => chunks.filter((one) => one.type === type).length !== 1))
    return 'one of its parts is missing or occurs twice';
  const keys = chunks.flatMap((chunk) => textOf(chunk)?.key ?? []);
  if (new Set(keys).size !== keys.length) return 'it has one text twice';
  const extra = keys.find((key) => key !== factsKey && key !== DRAWN_WITH_KEY);
  if (extra !== undefined) return `it has a text ${JSON.stringify(extra.slice(0, 80))}`;
  return faultOfPixels(chunks);
}

function faultOfPixels(chunks: readonly Chunk[]): string | null {
  const [header] = chunks;
  const data =
    header?.type === 'IHDR' && header.data.length === 13 ? header.data : Buffer.alloc(13);
  const isSized = data.readUInt32BE(0) === SIZE && data.readUInt32BE(4) === SIZE;
  if (!isSized || data.toString('hex', 8) !== INDEXED)
    return `it is not of ${SIZE} by ${SIZE} pixels with a palette`;
  const bytes = (SIZE + 1) * SIZE;
  return pixelsOf(chunks, bytes)?.length === bytes ? null : 'its pixels cannot be read';
}
