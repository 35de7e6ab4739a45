import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as fontkit from 'fontkit';
import { describe, expect, test } from 'vitest';
import { clusters, findGlyphs, TEXT_FILES, withoutGlyph } from '@quittance/verify/images/glyphs';

const TABLE = 'packages/verify/src/images/glyph-table.json';
const pathOf = (name: string) => join('node_modules', `${name}-400-normal.woff2`);

/** `first-last` in base 36, the form of code points in the table. */
function ranges(codePoints: readonly number[]): string {
  const found: [number, number][] = [];
  for (const point of [...codePoints].sort((a, b) => a - b)) {
    const last = found.at(-1);
    if (last && point <= last[1] + 1) last[1] = point;
    else found.push([point, point]);
  }
  return found
    .map(([a, b]) => (a === b ? a.toString(36) : `${a.toString(36)}-${b.toString(36)}`))
    .join(' ');
}

describe('the table of glyphs', () => {
  // After a change of fonts, `npx vitest run --project parts server/receipts/glyphs.parts.test.ts
  // -u` writes it again.
  test('says of each font file what the file says', async () => {
    const table = TEXT_FILES.filter((name) => existsSync(pathOf(name))).map((name) => {
      const font = fontkit.create(readFileSync(pathOf(name)));
      if (!('characterSet' in font)) throw new Error(`${name} is no single font`);
      return [name, ranges(font.characterSet)];
    });
    const json = `${JSON.stringify(Object.fromEntries(table), null, 2)}\n`;
    await expect(json).toMatchFileSnapshot(join(process.cwd(), TABLE));
  });
});

describe('glyphs', () => {
  test.each([
    ['Latin', 'Übermäßig dziękuję ğ €'],
    ['Cyrillic', 'Оплата за ноябрь, ґ'],
    ['Greek', 'Συνδρομή ἄλφα'],
    ['Vietnamese', 'Thanh toán tháng mười một ₫'],
    ['Arabic', 'اشتراك نوفمبر ١٢٣، گ'],
    ['Hebrew', 'מנוי לנובמבר שָׁלוֹם'],
    ['Devanagari', 'नवम्बर की सदस्यता क्षत्रिय'],
    ['Thai', 'ค่าสมาชิกเดือนพฤศจิกายน'],
    ['Chinese', '十一月订阅费,訂閱費用'],
    ['Japanese', '十一月の購読料、コーヒー'],
    ['Korean', '11월 구독료'],
    ['Persian', 'می\u200cخواهم'],
    ['Sinhala', 'ශ්\u200dරී ලංකා ක්\u200dරෙඩිට්'],
    ['Malayalam', 'നവംബർ അവന്\u200d'],
    ['emoji', '☕ 👍🏽 🇩🇪 👩👧'],
    [
      'emoji of several',
      '👨\u200d👩\u200d👧 ❤\ufe0f\u200d🔥 1\ufe0f\u20e3 🏴\u{e0067}\u{e0062}\u{e0065}\u{e006e}\u{e0067}\u{e007f}',
    ],
  ])('are there for %s', (_, text) => {
    expect(withoutGlyph(text)).toEqual([]);
    expect(findGlyphs(text).text).toBe(text.normalize('NFC'));
  });

  test('are named and drawn as code points if no font has them', () => {
    expect(withoutGlyph('a𓀀 b ⴰ𓀁𓀂')).toEqual(['𓀀', 'ⴰ', '𓀁']);
    expect(findGlyphs('a𓀀')).toMatchObject({ text: 'a[U+13000]' });
    // No font draws a mark of one file on a letter of another.
    expect(findGlyphs('עे').text).toBe('[U+05E2 U+0947]');
  });

  test('come in an order that follows from the line alone', () => {
    const chinese = findGlyphs('費用').files;
    const japanese = findGlyphs('費用の').files;
    expect(chinese.some((name) => name.includes('noto-sans-sc'))).toBe(true);
    expect(chinese.some((name) => name.includes('noto-sans-jp'))).toBe(false);
    expect(japanese.some((name) => name.includes('noto-sans-sc'))).toBe(false);
    expect(findGlyphs('費用').files).toEqual(chinese);
  });

  test('stay together in a flag, with their marks and with their tone', () => {
    expect(clusters('🇩🇪👍🏽e\u0323x\u0301')).toEqual(['🇩🇪', '👍🏽', 'ẹ', 'x\u0301']);
    const england = '🏴\u{e0067}\u{e0062}\u{e0065}\u{e006e}\u{e0067}\u{e007f}';
    const joined = ['👨\u200d👩\u200d👧', england, '1\ufe0f\u20e3', 'ශ්\u200dරී', 'ی\u200c', 'خ'];
    expect(clusters(joined.join(''))).toEqual(joined);
  });

  test('of an emoji that is a letter elsewhere are those of the emoji', () => {
    const emoji = '@fontsource/noto-color-emoji/files/noto-color-emoji-emoji';
    expect(findGlyphs('©').files).not.toContain(emoji);
    expect(findGlyphs('©\ufe0f').files).toContain(emoji);
    expect(withoutGlyph('x\ufe0f')).toEqual(['x\ufe0f']);
  });
});
