import { inflateSync, crc32 } from 'node:zlib';
import decodeQr from 'qr/decode.js';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { drawReceipt, drawReceiptCard } from './draw-receipt';
import { makeFacts, makeHostileFacts } from './facts.fixture';

type Picture = { width: number; height: number; at(x: number, y: number): string };

/** Reads a PNG as strictly as it was written: checksums, one byte a pixel, no filters. */
function readPng(file: Uint8Array): Picture {
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
function coloursIn(picture: Picture, [x0, y0, x1, y1]: [number, number, number, number]) {
  const seen = new Set<string>();
  for (let y = y0; y < y1; y++) for (let x = x0; x < x1; x++) seen.add(picture.at(x, y));
  return [...seen].sort();
}

const WHITE = 'ffffff';
const RED = 'a3262a';
const sizeOf = (bytes: Uint8Array) => bytes.length;

describe('the picture of a receipt', () => {
  const realFetch = globalThis.fetch;
  const fetched = vi.fn(() => Promise.reject(new Error('a picture must not fetch')));
  beforeEach(() => {
    fetched.mockClear();
    globalThis.fetch = fetched;
  });
  afterEach(() => {
    globalThis.fetch = realFetch;
    expect(fetched).not.toHaveBeenCalled();
  });

  test('is a PNG of 1000 by 1000, and of 1200 by 630 for links', async () => {
    expect(readPng(await drawReceipt(makeFacts()))).toMatchObject({ width: 1000, height: 1000 });
    expect(readPng(await drawReceiptCard(makeFacts()))).toMatchObject({ width: 1200, height: 630 });
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
    expect(sizeOf(await drawReceiptCard(makeHostileFacts({ network: 'local' })))).toBeLessThan(
      60 * 1024,
    );
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
    expect(coloursIn(square, [66, 96, 118, 930])).toEqual([WHITE]);
    expect(coloursIn(square, [884, 96, 934, 930])).toEqual([WHITE]);
    const card = readPng(await drawReceiptCard(makeFacts(change)));
    expect(coloursIn(card, [38, 80, 86, 580])).toEqual([WHITE]);
    expect(coloursIn(card, [1116, 80, 1162, 580])).toEqual([WHITE]);
  });

  test('shows a question mark for what no font has, and no box', async () => {
    const mark = await drawReceipt(makeFacts({ serviceType: 'tea ?' }));
    for (const serviceType of ['tea ☕', 'tea 👩‍👩‍👧', 'tea 茶', 'tea \u{10ffff}'])
      expect(Buffer.from(await drawReceipt(makeFacts({ serviceType }))).equals(mark)).toBe(true);
  });

  test('draws Latin, Cyrillic, Greek and Vietnamese letters as they are', async () => {
    const mark = await drawReceipt(makeFacts({ serviceType: '?' }));
    for (const serviceType of ['ß', 'ő', 'Ж', 'ґ', 'Ω', 'ἄ', 'ệ', '₫'])
      expect(Buffer.from(await drawReceipt(makeFacts({ serviceType }))).equals(mark)).toBe(false);
  });

  test('has a red band on a chain where nothing is real, and none on mainnet', async () => {
    const top: [number, number, number, number] = [70, 46, 200, 88];
    for (const network of ['local', 'devnet'] as const)
      expect(coloursIn(readPng(await drawReceipt(makeFacts({ network }))), top)).toEqual([RED]);
    expect(coloursIn(readPng(await drawReceipt(makeFacts())), top)).toEqual([WHITE]);
    const card = readPng(await drawReceiptCard(makeFacts({ network: 'local' })));
    expect(coloursIn(card, [42, 30, 200, 72])).toEqual([RED]);
  });

  test('has a QR code that leads to the page of the receipt', async () => {
    const picture = readPng(await drawReceipt(makeFacts()));
    const [left, top, size] = [690, 716, 200];
    const data = new Uint8Array(size * size * 4).fill(255);
    for (let at = 0; at < size * size; at += 1) {
      const colour = picture.at(left + (at % size), top + Math.floor(at / size));
      data.set(Buffer.from(colour, 'hex'), at * 4);
    }
    expect(decodeQr({ width: size, height: size, data })).toBe(
      'https://receipts.example/r/7K3MQ9XW2ABC',
    );
  });

  test('shows an amount of up to nine characters 40 % of the width wide, or as high as its row', async () => {
    for (const amount of [750_000n, 12_500_000n, 1_234_560_000n, 1_234_567_000n]) {
      const picture = readPng(await drawReceipt(makeFacts({ amount })));
      // Dark ink in the row of the amount; the token is grey.
      const dark: [number, number][] = [];
      for (let x = 118; x < 884; x++)
        for (let y = 145; y < 340; y++) if (picture.at(x, y) === '16181d') dark.push([x, y]);
      const span = (i: 0 | 1) => {
        const places = dark.map((place) => place[i]);
        return places.reduce((a, b) => Math.max(a, b)) - places.reduce((a, b) => Math.min(a, b));
      };
      expect(span(0) >= 400 || span(1) >= 130).toBe(true);
    }
  });
});
