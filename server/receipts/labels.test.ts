import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { cleanLabel } from '@quittance/verify/receipts/clean-label';
import { serviceTypeLabel, terminalSafe, transactionTypeLabel } from './labels';

const textOf = (text: string) => {
  const cleaned = cleanLabel(text, 64);
  return cleaned.ok ? cleaned.text : `refused: ${cleaned.reason}`;
};

describe('a label', () => {
  test.each([
    ['composed', 'Cafe\u0301', 'Café'],
    ['trimmed, white space collapsed', ' \t API \u3000\n  calls\u00a0', 'API calls'],
    ['freed of control characters', 'API\u0000\u001b[31m calls\u0085\u009b', 'API[31m calls'],
    ['freed of bidi marks', '\u202eabc\u2066def\u2069\u200f', 'abcdef'],
    [
      'freed of what cannot be seen',
      'a\u200bb\ufeffc\u00add\u2060e\u3164f\u{e0041}g\u2800',
      'abcdefg',
    ],
    ['composed once what stood between is gone', 'e\u200d\u0301', 'é'],
    ['kept in any script', 'Кофе Καφές コーヒー قهوة', 'Кофе Καφές コーヒー قهوة'],
    [
      'kept with what only looks a little like a link',
      'v1.2/3, node.js: 2 @ 5.00',
      'v1.2/3, node.js: 2 @ 5.00',
    ],
    ['kept with a colon', 'Market data: May', 'Market data: May'],
  ])('is %s', (_, given, expected) => {
    expect(textOf(given)).toBe(expected);
  });

  test.each(['', '   ', '\u200b\u202e\ufeff', '\u0000\u001f', '\u3164', '\u2800'])(
    'with nothing to see is refused (%j)',
    (given) => {
      expect(cleanLabel(given, 64)).toEqual({
        ok: false,
        reason: 'must hold at least one visible character',
      });
    },
  );

  test.each([
    'see http://evil.com',
    'HTTPS://evil.com',
    'ipfs://Qm',
    'ht\u200btp://evil.com',
    'ｈｔｔｐ：／／evil.com',
    'www.evil.com',
    'claim: evil.com/airdrop',
    'evil。com/airdrop',
    'пример.рф/подарок',
    'javascript:alert(1)',
    'data:text/html,<script>',
    'data: text/html,x',
    'mailto:a',
  ])('with a link is refused (%s)', (given) => {
    expect(textOf(given)).toBe('refused: must not hold a link');
  });

  test.each(['@evil', 'ask @Evil_1', 'a@b.com', '＠evil', '@3lau'])(
    'with a handle or an address is refused (%s)',
    (given) => {
      expect(textOf(given)).toBe('refused: must not hold an @handle or an e-mail address');
    },
  );

  test('with half of a surrogate pair is refused', () => {
    expect(textOf('a\ud83d')).toBe('refused: holds half of a surrogate pair');
    expect(textOf('\udc00')).toBe('refused: holds half of a surrogate pair');
  });

  test('is as long as its code points, after cleaning', () => {
    expect(serviceTypeLabel.safeParse('😀'.repeat(64)).success).toBe(true);
    expect(serviceTypeLabel.safeParse('😀'.repeat(65)).success).toBe(false);
    expect(serviceTypeLabel.safeParse(`${'a'.repeat(64)}${'\u200b'.repeat(500)}  `).success).toBe(
      true,
    );
    expect(transactionTypeLabel.safeParse('a'.repeat(32)).success).toBe(true);
    const long = transactionTypeLabel.safeParse('a'.repeat(33));
    expect(long.error?.issues[0]?.message).toBe('must have at most 32 characters, has 33');
  });

  test('of a receipt is refused where its image has no glyph for it', () => {
    expect(serviceTypeLabel.safeParse('Кофе, コーヒー, قهوة, 커피 ☕').success).toBe(true);
    const refused = serviceTypeLabel.safeParse('papyrus 𓀀');
    expect(refused.error?.issues[0]?.message).toBe(
      'must hold only characters that the image of the receipt can show, not 𓀀 [U+13000]',
    );
    // Where nothing is drawn, such as in a private note, it may stand.
    expect(textOf('papyrus 𓀀')).toBe('papyrus 𓀀');
  });

  test('that is clean is not changed by cleaning it again', () => {
    const unit = fc.oneof(
      fc.constantFrom(' ', '\u0301', '\u200d', '\u202e', '\u1100', '\u1161', 'a', '.', '/', '@'),
      fc.string({ unit: 'binary', minLength: 1, maxLength: 1 }),
    );
    fc.assert(
      fc.property(fc.string({ unit, maxLength: 40 }), (given) => {
        const once = cleanLabel(given, 4000);
        if (once.ok) expect(cleanLabel(once.text, 4000)).toEqual(once);
      }),
      { numRuns: 2000 },
    );
  });
});

describe('text for a terminal', () => {
  test('shows every character that would steer it', () => {
    expect(terminalSafe('a\u001b[2Jb\r\nc\u202ed\u009be')).toBe(
      'a\\u{1b}[2Jb\\u{d}\\u{a}c\\u{202e}d\\u{9b}e',
    );
    expect(terminalSafe('x\ud800')).toBe('x\\u{d800}');
  });

  test('is left alone where it is harmless', () => {
    expect(terminalSafe('Кофе, コーヒー ☕ 0.75 USDC')).toBe('Кофе, コーヒー ☕ 0.75 USDC');
  });
});
