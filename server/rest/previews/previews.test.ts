import { createCanvas, loadImage } from '@napi-rs/canvas';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { drawPreview } from './draw-preview';
import { PAGE_PREVIEWS, receiptPreview, statementPreview } from './previews';

const receipt = {
  network: 'mainnet',
  id: '7K3MQ9XW2ABC',
  amount: 600_000n,
  decimals: 6,
  token: 'USDC',
  blockTime: new Date('2026-11-28T14:05:09Z'),
  status: 'completed',
} as const;
const statement = {
  network: 'mainnet',
  id: 'STMT7K3MQ9XW',
  totalMicros: 14_200_000n,
  count: 14,
  period: { first: new Date('2026-11-01T00:00:00Z'), last: new Date('2026-11-30T23:59:59Z') },
  createdAt: new Date('2026-12-01T10:00:00Z'),
  status: 'pending',
} as const;

const realFetch = globalThis.fetch;
const asked: string[] = [];
/** The renderer may read what it brings with it, from the disk. */
const wrapped = vi.fn((...[input, init]: Parameters<typeof fetch>) => {
  const url = input instanceof Request ? input.url : String(input);
  if (!url.startsWith('file:') && !url.startsWith('data:')) {
    asked.push(url);
    return Promise.reject(new Error('a preview must not fetch'));
  }
  return realFetch(input, init);
});
beforeEach(() => {
  asked.length = 0;
  globalThis.fetch = wrapped;
});
afterEach(() => {
  globalThis.fetch = realFetch;
});

describe('the image of a link', () => {
  test.each([
    ['a receipt', receiptPreview(receipt)],
    ['a statement', statementPreview(statement)],
    ['the first page', PAGE_PREVIEWS.home],
    ['the API reference', PAGE_PREVIEWS.docs],
    ['a receipt on the test chain', receiptPreview({ ...receipt, network: 'local' })],
    ['more than any amount', receiptPreview({ ...receipt, amount: 10n ** 40n, decimals: 9 })],
    // It never gets such text. If it did, it must not request a glyph.
    [
      'text that no font has',
      { ...receiptPreview(receipt), title: '☕ 咖啡 قهوة', unit: '👩‍👩‍👧', lines: ['🏴', 'Ω'] },
    ],
  ])(
    'is a PNG of 1200 by 630 for %s, below 100 KiB, and nothing is fetched',
    async (_, preview) => {
      const png = Buffer.from(await drawPreview(preview));
      expect([png.readUInt32BE(16), png.readUInt32BE(20)]).toEqual([1200, 630]);
      expect(png.length).toBeLessThan(100 * 1024);
      expect(asked).toEqual([]);
    },
  );

  test('has the amount and its token on one line', async () => {
    const png = await drawPreview({ ...receiptPreview(receipt), title: 'HH', unit: 'HH' });
    const image = await loadImage(Buffer.from(png));
    const context = createCanvas(image.width, image.height).getContext('2d');
    context.drawImage(image, 0, 0);
    // The title begins at 90 and the unit ends before 600, both above 310.
    const lowest = (from: number, to: number) => {
      for (let y = 310; y > 0; y -= 1) {
        const { data } = context.getImageData(from, y, to - from, 1);
        if (data.some((value) => value < 120)) return y;
      }
      return 0;
    };
    const [title, unit] = [lowest(90, 180), lowest(330, 600)];
    expect(title).toBeGreaterThan(200);
    expect(Math.abs(title - unit)).toBeLessThanOrEqual(1);
  });

  test('of a receipt has amount, token, day and state like the pages, and no labels', () => {
    expect(receiptPreview(receipt)).toEqual({
      kind: 'RECEIPT',
      title: '0.60',
      unit: 'USDC',
      lines: ['Paid on 28 Nov 2026 (UTC)', '7K3MQ9XW2ABC'],
      verdict: { words: 'Recorded on Solana. Anyone can check it.', tone: 'good' },
      warning: null,
    });
    expect(receiptPreview({ ...receipt, status: 'failed' }).verdict?.tone).toBe('bad');
    expect(receiptPreview({ ...receipt, network: 'devnet' }).warning).toContain('not a real');
  });

  test('of a statement says total, count and days', () => {
    const { title, lines, verdict } = statementPreview(statement);
    expect(title).toBe('14.20');
    expect(lines[0]).toBe('14 payments from 1 Nov 2026 to 30 Nov 2026');
    expect(verdict?.tone).toBe('waiting');
    expect(statementPreview({ ...statement, count: 1, period: null }).lines[0]).toBe(
      '1 payment listed on 1 Dec 2026',
    );
  });
});
