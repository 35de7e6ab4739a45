import { readFileSync } from 'node:fs';
import { inflateSync, crc32 } from 'node:zlib';
import decodeQr from 'qr/decode.js';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { serviceTypeLabel } from './labels';
import { describeReceipt } from './describe-receipt';
import { drawReceipt } from './draw-receipt';
import { amountWords } from '@quittance/verify/images/draw-words';
import { codePoints } from '@quittance/verify/images/glyphs';
import { makeFacts, makeHostileFacts } from './facts.fixture';
import { GOLDEN, hashesOf, inOtherProcess, RECEIPTS } from './golden.fixture';
import { factsDigest, readFactsDigest } from '@quittance/verify/receipts/image-digest';

type Image = { width: number; height: number; at(x: number, y: number): string };

/** Reads a PNG as strictly as it was written: checksums, one byte a pixel, no filters. */
function readPng(file: Uint8Array): Image {
  const bytes = Buffer.from(file);
  const chunks = new Map<string, Buffer>();
  for (let at = 8; at < bytes.length;) {
    const length = bytes.readUInt32BE(at);
    const body = bytes.subarray(at + 4, at + 8 + length);
    expect(bytes.readUInt32BE(at + 8 + length)).toBe(crc32(body));
    chunks.set(body.toString('latin1', 0, 4), body.subarray(4));
    at += 12 + length;
  }
  const header = chunks.get('IHDR') ?? Buffer.alloc(13);
  const palette = chunks.get('PLTE') ?? Buffer.alloc(0);
  const rows = inflateSync(chunks.get('IDAT') ?? Buffer.alloc(0));
  const [width, height] = [header.readUInt32BE(0), header.readUInt32BE(4)];
  expect(rows.length).toBe((width + 1) * height);
  const at = (x: number, y: number) => {
    const index = rows[y * (width + 1) + 1 + x] ?? 0;
    return palette.subarray(index * 3, index * 3 + 3).toString('hex');
  };
  return { width, height, at };
}

/** Colours in a rectangle. */
function coloursIn(image: Image, [x0, y0, x1, y1]: [number, number, number, number]) {
  const seen = new Set<string>();
  for (let y = y0; y < y1; y++) for (let x = x0; x < x1; x++) seen.add(image.at(x, y));
  return [...seen].sort();
}

/** The columns of a rectangle that have something darker than paper in them. */
function darkColumns(image: Image, [x0, y0, x1, y1]: [number, number, number, number]) {
  const dark: number[] = [];
  for (let x = x0; x < x1; x++)
    for (let y = y0; y < y1; y++)
      if (image.at(x, y) !== WHITE) {
        dark.push(x);
        break;
      }
  return dark;
}

/** The rows of a rectangle that have the ink of text in them. */
function inkedRows(image: Image, [x0, y0, x1, y1]: [number, number, number, number]) {
  const rows = Array.from({ length: y1 - y0 }, (_, row) => y0 + row);
  return rows.filter((y) => coloursIn(image, [x0, y, x1, y + 1]).includes(INK));
}

/** The part of a file from its pixels on. Two images with equal pixels have it in common. */
function pixelsOf(file: Uint8Array): string {
  const bytes = Buffer.from(file);
  return bytes.subarray(bytes.indexOf('IDAT')).toString('base64');
}

const WHITE = 'ffffff';
const RED = 'a3262a';
const INK = '16181d';
const sizeOf = (bytes: Uint8Array) => bytes.length;

describe('the image of a receipt', () => {
  const realFetch = globalThis.fetch;
  const fetched = vi.fn(() => Promise.reject(new Error('an image must not fetch')));
  beforeEach(() => {
    fetched.mockClear();
    globalThis.fetch = fetched;
  });
  afterEach(() => {
    globalThis.fetch = realFetch;
    expect(fetched).not.toHaveBeenCalled();
  });

  test('is a PNG of 1000 by 1000', async () => {
    expect(readPng(await drawReceipt(makeFacts()))).toMatchObject({ width: 1000, height: 1000 });
  });

  test('has equal bytes for equal facts and others for others', async () => {
    const one = await drawReceipt(makeFacts());
    expect(Buffer.from(await drawReceipt(makeFacts())).equals(one)).toBe(true);
    for (const change of [
      { amount: 750_001n },
      { serviceType: 'other' },
      { receiptId: '000000000000' },
    ])
      expect(Buffer.from(await drawReceipt(makeFacts(change))).equals(one)).toBe(false);
  });

  test('is under 60 KiB, the fullest too', async () => {
    expect(sizeOf(await drawReceipt(makeFacts()))).toBeLessThan(60 * 1024);
    expect(sizeOf(await drawReceipt(makeHostileFacts()))).toBeLessThan(60 * 1024);
  });

  test.each([
    ['wide letters', { serviceType: 'W'.repeat(64), invoiceId: 'Щ'.repeat(64) }],
    ['emoji', { serviceType: '👩‍👩‍👧'.repeat(12), invoiceId: '☕️🏴󠁧󠁢󠁥󠁮󠁧󠁿' }],
    [
      'scripts without a font',
      { serviceType: 'コーヒー قهوة קפה 咖啡', invoiceId: '𓀀'.repeat(64) },
    ],
    ['piled-up marks', { serviceType: 'a\u0301\u0302\u0303\u0304\u0305'.repeat(10) }],
    ['a long token, a long source', { token: 'W'.repeat(200), valuationSource: 'W'.repeat(3000) }],
    ['a long address of the service', { publicUrl: `https://${'w'.repeat(200)}.example` }],
    ['everything at once', makeHostileFacts()],
    ['more digits than any token has', { amount: 10n ** 60n, decimals: 30, usdMicros: 10n ** 40n }],
  ])('keeps to its paper with %s', async (_, change) => {
    const square = readPng(await drawReceipt(makeFacts(change)));
    // Between the paper's edge and the text there is nothing but paper.
    expect(coloursIn(square, [42, 30, 86, 950])).toEqual([WHITE]);
    expect(coloursIn(square, [914, 30, 958, 950])).toEqual([WHITE]);
  });

  test('shows the code points of characters that no font has, and no box', async () => {
    const mark = await drawReceipt(makeFacts({ serviceType: 'tea [U+13000]', receiptId: 'A' }));
    const glyph = await drawReceipt(makeFacts({ serviceType: 'tea \u{13000}', receiptId: 'A' }));
    expect(pixelsOf(glyph)).toBe(pixelsOf(mark));
  });

  test.each([
    ['Latin', 'ß', 'ss'],
    ['Vietnamese', 'ệ', 'ê'],
    ['Cyrillic', 'Ж', 'Х'],
    ['Greek', 'ἄ', 'α'],
    ['Arabic', 'قهوة', 'قهوه'],
    ['Hebrew', 'קפה', 'קפ'],
    ['Devanagari', 'क्षत्रिय', 'कषतरिय'],
    ['Thai', 'กาแฟ', 'กาแ'],
    ['Sinhala', 'කෝපි', 'කොපි'],
    ['Malayalam', 'കാപ്പി', 'കാപി'],
    ['Chinese', '咖啡', '咖'],
    ['Japanese', 'コーヒー', 'コーヒ'],
    ['Korean', '커피', '커'],
    ['emoji', '☕', '🧾'],
  ])('draws %s letters by their font', async (_, one, other) => {
    const images = [one, other, codePoints(one)].map(async (serviceType) =>
      pixelsOf(await drawReceipt(makeFacts({ serviceType }))),
    );
    expect(new Set(await Promise.all(images)).size).toBe(3);
  });

  test('joins Arabic letters, and sets them from right to left', async () => {
    // The first letter of the text is the rightmost: texts that end alike differ on the left alone.
    const [short, long] = await Promise.all(
      ['\u0627\u0628', '\u0627\u0628\u0628'].map(async (serviceType) => {
        const image = readPng(await drawReceipt(makeFacts({ serviceType })));
        return darkColumns(image, [238, 420, 900, 478]);
      }),
    );
    const widthOf = (columns: number[] = []) => (columns.at(-1) ?? 0) - (columns[0] ?? 0);
    expect(widthOf(long)).toBeGreaterThan(widthOf(short));
    // Joined letters leave no empty column between them.
    const joined = readPng(await drawReceipt(makeFacts({ serviceType: '\u0628\u0628\u0628' })));
    const columns = darkColumns(joined, [238, 420, 900, 478]);
    expect(columns.at(-1)).toBe((columns[0] ?? 0) + columns.length - 1);
  });

  const ENGLAND = '🏴\u{e0067}\u{e0062}\u{e0065}\u{e006e}\u{e0067}\u{e007f}';
  test.each([
    ['a family', '👨\u200d👩\u200d👧', '👨👩👧'],
    ['the flag of England', ENGLAND, '🏴'],
    ['a keycap', '1\ufe0f\u20e3', '1'],
    ['a burning heart', '❤\ufe0f\u200d🔥', '❤🔥'],
  ])('draws %s as one emoji, from a label as it is taken', async (_, given, apart) => {
    const serviceType = serviceTypeLabel.parse(given);
    const widthOf = async (label: string) => {
      const image = readPng(await drawReceipt(makeFacts({ serviceType: label })));
      return darkColumns(image, [238, 420, 900, 478]).length;
    };
    const cup = await widthOf('☕');
    expect(Math.abs((await widthOf(serviceType)) - cup)).toBeLessThan(cup / 5);
    const images = [serviceType, apart, codePoints(given)].map(async (label) =>
      pixelsOf(await drawReceipt(makeFacts({ serviceType: label }))),
    );
    expect(new Set(await Promise.all(images)).size).toBe(3);
  });

  test.each([
    ['Persian', 'می\u200cخواهم', 'میخواهم'],
    ['Sinhala', 'ශ්\u200dරී', 'ශ්රී'],
    ['Malayalam', 'അവന്\u200d', 'അവന്'],
    ['Hindi', 'क्\u200dष', 'क्ष'],
  ])('draws %s with the joiners of a label as it is taken', async (_, given, without) => {
    const serviceType = serviceTypeLabel.parse(given);
    const images = [serviceType, without, codePoints(given)].map(async (label) =>
      pixelsOf(await drawReceipt(makeFacts({ serviceType: label }))),
    );
    expect(new Set(await Promise.all(images)).size).toBe(3);
  });

  test.each([
    ['who was paid', { seller: 'HHHHHHHH1111HHHHHHHH' }, [289, 352]],
    ['the date', {}, [354, 416]],
    ['what it was for', { serviceType: 'HEAD' }, [418, 480]],
  ] as const)('shows %s in letters that are 6 px high at 200 px', async (_, change, rows) => {
    const image = readPng(await drawReceipt(makeFacts(change)));
    const inked = inkedRows(image, [238, rows[0], 912, rows[1]]);
    expect(inked.length).toBeGreaterThanOrEqual(6 * 5);
  });

  test('has the same bytes in another process, after any other drawings', async () => {
    const after = await inOtherProcess([2, 1, 0, 3]);
    expect(after[1]).toBe(hashesOf(await drawReceipt(RECEIPTS[1])));
    // The hashes are of Node 20, 22 and 24 alike.
    const pixels = after.map((hashes) => hashes.split(' ')[1]);
    if (process.arch === 'x64')
      expect(pixels).toEqual([GOLDEN[2], GOLDEN[1], GOLDEN[0], GOLDEN[3]]);
  });

  test('in README.md is the one that is drawn today', () => {
    expect(hashesOf(readFileSync('docs/images/receipt.png')).split(' ')[1]).toBe(GOLDEN[3]);
  });

  test('carries the digest of its facts, which another receipt does not have', async () => {
    const facts = makeFacts();
    const png = await drawReceipt(facts);
    const digest = factsDigest(describeReceipt(facts, 'https://gateway.example/any'));
    expect(readFactsDigest(png)).toBe(digest);
    for (const change of [{ amount: 1n }, { receiptId: '000000000000' }, { invoiceId: null }])
      expect(readFactsDigest(await drawReceipt(makeFacts(change)))).not.toBe(digest);
    expect(readFactsDigest(png.subarray(0, 60))).toBeNull();
    expect(readFactsDigest(new TextEncoder().encode('no image'))).toBeNull();
  });

  test('writes amounts as the pages do', () => {
    expect(amountWords(600_000n, 6)).toBe('0.60');
    expect(amountWords(1_234_567_000_000n, 6)).toBe('1,234,567.00');
    expect(amountWords(1n, 9)).toBe('0.000000001');
    expect(amountWords(1_500n, 0)).toBe('1,500');
    expect(amountWords(15n, 1)).toBe('1.5');
  });

  test('has a red band on a chain where nothing is real, and none on mainnet', async () => {
    const top: [number, number, number, number] = [42, 30, 200, 50];
    for (const network of ['local', 'devnet'] as const)
      expect(coloursIn(readPng(await drawReceipt(makeFacts({ network }))), top)).toEqual([RED]);
    expect(coloursIn(readPng(await drawReceipt(makeFacts())), top)).toEqual([WHITE]);
  });

  test('has a QR code that leads to the page of the receipt', async () => {
    const image = readPng(await drawReceipt(makeFacts()));
    const [left, top, size] = [745, 757, 180];
    const data = new Uint8Array(size * size * 4).fill(255);
    for (let at = 0; at < size * size; at += 1) {
      const colour = image.at(left + (at % size), top + Math.floor(at / size));
      data.set(Buffer.from(colour, 'hex'), at * 4);
    }
    expect(decodeQr({ width: size, height: size, data })).toBe(
      'https://receipts.example/r/7K3MQ9XW2ABC',
    );
  });

  test('shows an amount of up to nine characters 40 % of the width wide, or as high as its row', async () => {
    for (const amount of [750_000n, 12_500_000n, 1_234_560_000n, 1_234_567_000n]) {
      const image = readPng(await drawReceipt(makeFacts({ amount })));
      // Dark ink in the row of the amount; the token is grey.
      const dark: [number, number][] = [];
      for (let x = 88; x < 912; x++)
        for (let y = 106; y < 288; y++) if (image.at(x, y) === INK) dark.push([x, y]);
      const span = (i: 0 | 1) => {
        const places = dark.map((place) => place[i]);
        return places.reduce((a, b) => Math.max(a, b)) - places.reduce((a, b) => Math.min(a, b));
      };
      expect(span(0) >= 400 || span(1) >= 130).toBe(true);
    }
  });
});
